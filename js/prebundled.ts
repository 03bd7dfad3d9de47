/**
 * Files of the package where a development server moved its scripts away from them.
 *
 * Vite before version 8 bundles what is installed into `node_modules/.vite/deps` and leaves addresses beside a script as
 * they are: they then name files that are not there. What is installed is served all the same, beside that folder.
 */
const MOVED = /\/\.vite\/deps\//;

/** The folder that a moved script came from, or undefined where it was not moved. */
export const folderBefore = (script: string): string | undefined =>
  MOVED.test(script) ? script.replace(/\/\.vite\/deps\/.*$/, "/nucleus-sampler/dist/") : undefined;

/** The address of a file beside a script: the very one given where the script was not moved (some are of no site). */
export const beside = (file: URL): URL =>
  MOVED.test(file.href) ? new URL(file.href.replace(MOVED, "/nucleus-sampler/dist/")) : file;
