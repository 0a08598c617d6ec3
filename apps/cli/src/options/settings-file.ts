import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isAddress } from '../documents/fetch-input.ts';
import { isThere } from '../files/file-access.ts';
import { OUTSIDE_UNLESS_NAMED } from '../files/file-problem.ts';
import { Repository } from '../files/repository.ts';
import { SETTINGS_FILE } from '../files/find-files.ts';
import { readSettings } from './settings-schema.ts';
import type { WrittenSettings } from './settings-schema.ts';
import { UsageError } from '../usage.ts';

/** Settings of a project. Paths are relative to the working folder. */
export interface ProjectSettings extends WrittenSettings {
  /** Path of the file that contains the settings. */
  readonly file: string;
  /** Repository of the settings file. All paths of the settings must lie inside. */
  readonly repository: Repository;
}

/**
 * Returns the settings of the nearest `.assay.yaml` in a folder or above it, up to the root of its git repository. Undefined if there is no
 * `.assay.yaml`. Throws {@link UsageError} with the reason if the file is not valid.
 */
export function findSettings(folder: string): ProjectSettings | undefined {
  const file = settingsFileOf(folder);
  if (file === undefined) return undefined;
  const repository = Repository.of(dirname(file));
  const { paths, crds, ...settings } = readSettings(file, repository);
  const fromHere = (path: string): string => {
    if (path === '-') return path;
    if (isAddress(path)) throw new UsageError(`${file}: ${path}: settings fetch nothing: name it on the command line`);
    const absolute = isAbsolute(path) ? path : join(dirname(file), path);
    if (!repository.holds(absolute)) throw new UsageError(`${file}: ${path}: ${OUTSIDE_UNLESS_NAMED}`);
    return relative(folder, absolute) || '.';
  };
  return {
    ...settings,
    ...(paths && { paths: paths.map(fromHere) }),
    ...(crds !== undefined && { crds: fromHere(crds) }),
    file,
    repository,
  };
}

function settingsFileOf(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, SETTINGS_FILE);
    if (isThere(file)) return file;
    if (isThere(join(folder, '.git')) || folder === dirname(folder)) return undefined;
  }
}
