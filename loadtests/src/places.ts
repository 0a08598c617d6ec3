import { resolve } from 'node:path';

/** Project folder. The path differs between the sources and the built files. */
export const PROJECT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../..' : '../../..');

/** Folder beside the project with Go programs for comparison and with real definitions. It is not part of a clone. */
export const SHARED = resolve(PROJECT, '../shared');
