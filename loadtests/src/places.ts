import { resolve } from 'node:path';

/** The project's folder, from sources and from what is built of them. */
export const PROJECT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../..' : '../../..');

/** The folder beside the project: peers in Go, and real definitions. A clone alone does not have it. */
export const SHARED = resolve(PROJECT, '../shared');
