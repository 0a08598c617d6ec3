import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';
import { CORPORA } from './object-cases.ts';

/** The folders of the corpora that contain definitions: definitions of projects, and definitions of recorded suites. */
export const DEFINITION_FOLDERS = ['crds', 'suites/crds'] as const;

/**
 * Returns the files of real definitions, sorted by name. If there are no corpora beside the project, returns the example files of the
 * project.
 */
export function corpusFiles(folders: readonly string[] = ['crds']): readonly string[] {
  const found = folders.map((folder) => join(CORPORA, folder)).filter((folder) => existsSync(folder));
  return (found.length > 0 ? found : [join(PROJECT, 'examples')]).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .toSorted()
      .map((file) => join(folder, file)),
  );
}
