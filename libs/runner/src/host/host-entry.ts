import { fileURLToPath } from 'node:url';

const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/** File of the program that an engine host runs. A build bundles the program in one file (`scripts/bundle.mjs`). */
export const HOST_ENTRY = fileURLToPath(new URL(`./main${EXTENSION}`, import.meta.url));
