/** The service worker's script, beside the page. */
export declare const SERVICE_WORKER: string;
/** The names of a build's files as addresses beside the page. */
export declare function filesToKeep(names: readonly string[]): { first: string[]; later: string[] };
