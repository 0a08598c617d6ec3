import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command as Program } from 'commander';
import { isAddress } from '../documents/fetch-input.ts';
import { isThere } from '../files/file-access.ts';
import { OUTSIDE_UNLESS_NAMED } from '../files/file-problem.ts';
import { Repository } from '../files/repository.ts';
import { readSettingsFile } from './settings-schema.ts';
import type { WrittenSettings } from './settings-schema.ts';
import { UsageError } from '../usage.ts';

/** Name of the settings file of a project. This file contains no objects. */
export const SETTINGS_FILE = '.assay.yaml';

/** Settings of a project. Paths are relative to the working folder. */
interface ProjectSettings extends WrittenSettings {
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
  const { paths, crds, ...settings } = readSettingsFile(file, repository);
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

/**
 * Sets the options of a command to the values in the project settings, unless the command line sets them. Throws {@link UsageError} if a
 * value is invalid.
 */
export function applySettings(command: Program, settings: ProjectSettings): void {
  const { file, repository, failOn, paths, advice, ...others } = settings;
  const gates = (failOn as Readonly<Record<string, readonly string[]>> | undefined)?.[command.name()];
  const values: Record<string, unknown> = {
    ...others,
    advice: advice === false ? 'all' : typeof advice === 'object' ? advice.off.join(',') : undefined,
    failOn: gates === undefined || gates.length === 0 ? gates : gates.join(','),
  };
  const takesPaths = command.options.some((option) => option.attributeName() === 'filename');
  if (paths !== undefined && takesPaths && command.args.length === 0 && command.getOptionValue('filename') === undefined) {
    values['filename'] = paths;
    command.setOptionValueWithSource('repository', repository, 'config');
  }
  for (const option of command.options) {
    const key = option.attributeName();
    const value = values[key];
    const source = command.getOptionValueSource(key);
    if (value === undefined || (source !== undefined && source !== 'default')) continue;
    command.setOptionValueWithSource(key, typeof value === 'string' ? parsed(option.parseArg, value, `${file}: ${key}`) : value, 'config');
  }
}

function parsed(parse: Program['options'][number]['parseArg'], text: string, place: string): unknown {
  try {
    return parse === undefined ? text : parse(text, undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`${place}: ${error.message}`);
  }
}
