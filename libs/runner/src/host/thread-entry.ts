const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/** What a thread runs, by its URL; the single executable has its source in place of this module (`scripts/executable/thread-entry.mjs`). */
export const THREAD_ENTRY: URL | string = new URL(`../thread/main${EXTENSION}`, import.meta.url);
