import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ADVICE_IDS, EFFECTS } from '#evaluation';
import { MINOR_RANGE } from '#kube';
import { DIFF_FAILURES } from './diff-failures.ts';
import { FAILURES } from './evaluation-status.ts';
import { isAddress } from './fetch-input.ts';
import { FileAccess, isThere } from './files/file-access.ts';
import { FILE_LIMITS } from './files/file-limits.ts';
import { OUTSIDE_UNLESS_NAMED } from './files/file-problem.ts';
import { Repository } from './files/repository.ts';
import { SETTINGS_FILE } from './find-files.ts';
import { UsageError } from './usage.ts';

/** Maximum number of paths in a settings file. */
const MOST_PATHS = 1000;

/** Schema of `.assay.yaml`. Its fields are options of the command line under their long names. */
export const settingsFileSchema = z
  .strictObject({
    paths: z.array(z.string().min(1)).min(1).max(MOST_PATHS).describe('Files and folders for commands without any, relative to this file'),
    crds: z.string().min(1).describe('A folder with the definitions of the objects, relative to this file'),
    kubernetesVersion: z.string().describe(MINOR_RANGE),
    featureGates: z.record(z.string(), z.boolean()).describe('Gates of the server that differ from the defaults of its minor'),
    fieldValidation: z.enum(['Strict', 'Warn', 'Ignore']).describe('The treatment of unknown and duplicate fields'),
    failOn: z
      .strictObject({
        evaluate: z.array(z.enum(FAILURES)),
        'what-if': z.array(z.enum(EFFECTS)),
        diff: z.array(z.enum(DIFF_FAILURES)),
      })
      .partial()
      .describe('Findings that end with status 1, by command; for evaluate and diff, worse findings are included'),
    strictKinds: z.boolean().describe('true: objects without a definition fail an evaluation'),
    advice: z
      .union([z.boolean(), z.strictObject({ off: z.array(z.enum(ADVICE_IDS)).min(1) })])
      .describe('false: no advice on rules; or the kinds of advice to leave out'),
    oldest: z
      .string()
      .describe('The oldest minor that must accept the definitions, such as 1.30: advice names parts that it does not know'),
    quiet: z.boolean().describe('true: print only problems'),
    ignore: z.boolean().describe('true: leave out files that .gitignore names; default true'),
    offline: z.boolean().describe('true: refuse addresses'),
    timeout: z.string().describe('The time after which a command is ended, such as 2m'),
  })
  .partial();

/** Settings of a project. Paths are relative to the working folder. */
export interface ProjectSettings extends z.output<typeof settingsFileSchema> {
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

function readSettings(file: string, repository: Repository): z.output<typeof settingsFileSchema> {
  const text = new FileAccess().inside(repository).read(file, FILE_LIMITS.settings);
  if (!text.ok) throw new UsageError(`${file}: ${text.problem}`);
  let document: unknown;
  try {
    document = parse(text.content.toString('utf8'), { logLevel: 'error' });
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof RangeError ? 'nested too deeply' : (error as Error).message.trim()}`);
  }
  const read = settingsFileSchema.safeParse(document ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  throw new UsageError(`${file}: ${problems.join('; ')}`);
}
