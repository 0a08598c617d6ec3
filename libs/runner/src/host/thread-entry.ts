const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/**
 * URL of the program of a thread. The single executable contains the source text of the program instead
 * (`scripts/executable/thread-entry.mjs`).
 */
export const THREAD_ENTRY: URL | string = new URL(`../thread/main${EXTENSION}`, import.meta.url);
