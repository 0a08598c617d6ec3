const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/** The URL of the program of a thread. The single executable has the source of the program instead (`scripts/executable/thread-entry.mjs`). */
export const THREAD_ENTRY: URL | string = new URL(`../thread/main${EXTENSION}`, import.meta.url);
