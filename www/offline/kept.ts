// What page and service worker agree on: the files that are kept for use without a network, and what they say.

/** The files of a build, as addresses beside the page. */
export interface KeptFiles {
  /** Another one for every build. */
  readonly version: string;
  /** What the page needs to begin with: kept at the first visit. */
  readonly first: readonly string[];
  /** The other rows, and the tiny model with what runs it: kept when the browser has nothing else to do. */
  readonly later: readonly string[];
}

/** The page asks for the later files to be kept, too. */
export const KEEP_LATER = "keep later";
/** The service worker's answer: all of them are kept. */
export const ALL_KEPT = "all kept";
