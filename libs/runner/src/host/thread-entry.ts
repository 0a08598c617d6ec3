const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * URL of the script that each engine thread runs. In the single executable, this constant is the source text of the script instead
 * (`scripts/executable/thread-entry.mjs`).
 */
export const THREAD_ENTRY: URL | string = new URL(`../thread/main${EXTENSION}`, import.meta.url);
