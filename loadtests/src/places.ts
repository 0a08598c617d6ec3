import { resolve } from 'node:path';

/** The project's folder, from sources and from what is built of them. */
export const PROJECT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../..' : '../../..');

/** What lies beside the project: peers in Go, and real definitions. Absent in a clone that stands alone. */
export const SHARED = resolve(PROJECT, '../shared');
