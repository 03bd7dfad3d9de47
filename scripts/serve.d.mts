/** A running server. */
export interface StaticServer {
  readonly port: number;
  /** The address of its root, with a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a folder on the loopback address with the page's policy headers. `port` 0 (the default) takes any free
 * one; `tryNext` goes on to the following ports while one is taken.
 */
export declare function serve(options: {
  root: string;
  port?: number;
  tryNext?: boolean;
}): Promise<StaticServer>;
