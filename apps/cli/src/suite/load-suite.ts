import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { isJsonObject, readFirstDocument, readYaml, writeJson, yamlLines } from '#go';
import type { JsonValue } from '#go';
import { problemsOf } from '#documents';
import type { Engine } from '#runner';
import { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-limits.ts';
import { filesBelow, isFolder } from '../files/files-below.ts';
import { Repository } from '../files/repository.ts';
import { UsageError } from '../usage.ts';
import { chooseVariants, findDefinitions } from './find-definitions.ts';
import type { DefinitionInFile } from './find-definitions.ts';
import { isNamedAsSuite, isKyvernoTest, isPolicySuite } from './recognize-suite.ts';
import type { RequestSuite } from './request-suite.ts';
import type { SuiteText } from './suite-files.ts';
import { suiteSchema } from './suite.ts';
import type { Suite } from './suite.ts';
import { loadKyvernoTest } from './kyverno/load-kyverno-test.ts';
import { loadPolicySuite } from './policy-suite.ts';

/**
 * Loaded suite of test cases for the objects of a definition. `variants` are the definition files that were generated with the feature
 * gates that the suite requires. All cases run against each variant.
 */
export interface LoadedDefinitionSuite {
  readonly kind: 'definition';
  readonly file: string;
  readonly suite: Suite;
  readonly variants: readonly DefinitionInFile[];
  /** Returns the line of the suite file at which the case at `index` (from 0) of `list` begins, from 1. */
  readonly lineOf: (list: 'onCreate' | 'onUpdate', index: number) => number | undefined;
  /** Digest that changes if the suite or any of its definitions changes. */
  readonly digest: string;
}

/** Loaded suite of test cases: for the objects of a definition, or for requests. */
export type LoadedSuite = LoadedDefinitionSuite | RequestSuite;

/**
 * Returns the number of cases of a test suite. A case of a definition suite counts once for each variant (generated file) of the
 * definition.
 */
export function caseCount(loaded: LoadedSuite): number {
  if (loaded.kind === 'requests') return loaded.batches.reduce((sum, { cases }) => sum + cases.length, 0);
  const { onCreate, onUpdate } = loaded.suite.tests;
  return loaded.variants.length * ((onCreate?.length ?? 0) + (onUpdate?.length ?? 0));
}

/** Returns the files to which a suite refers, without the suite file itself. */
export function filesOf(loaded: LoadedSuite): readonly string[] {
  return loaded.kind === 'requests' ? loaded.files : loaded.variants.map(({ file }) => file);
}

/** Name of the folder in which openshift/api keeps suites. Its subfolders are named after the definition. */
const SUITE_FOLDER = 'tests';

/**
 * Loads all suites of the given files and folders. Throws one {@link UsageError} about all suites and definitions that cannot be used.
 *
 * @param access right to read the paths. A suite may name the files of its repository only
 */
export async function loadSuites(paths: readonly string[], host: Engine, access = new FileAccess()): Promise<LoadedSuite[]> {
  const problems: string[] = [];
  const found = paths.flatMap((path) => (isFolder(path) ? suitesBelow(path, access, problems) : [suiteAt(path, access, problems)]));
  const files = new Map(found.flatMap((one) => (one === undefined ? [] : [[one.file, one] as const])));
  if (files.size === 0 && problems.length === 0)
    throw new UsageError(`no suites were found in ${paths.join(', ')} (files named …suite.yaml or kyverno-test.yaml)`);
  const suites: LoadedSuite[] = [];
  for (const source of files.values())
    try {
      suites.push(await loadSuite(source, host));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  if (problems.length > 0) throw new UsageError(problems.join('\nassay: '));
  return suites;
}

async function loadSuite(source: SuiteText, host: Engine): Promise<LoadedSuite> {
  const { file, text, access } = source;
  const reading = readYaml(text);
  if (!reading.ok) throw new UsageError(`${file}: ${reading.error}`);
  const requests = loadRequestSuite(source, reading.value);
  if (requests) return requests;
  const parsed = suiteSchema.safeParse(JSON.parse(writeJson(reading.value)));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'suite').join('; ')}`);
  const suite = parsed.data;
  const variants = chooseVariants(await findDefinitions(suite, file, access, host), suite.featureGates ?? [], file, access);
  const digest = createHash('sha256').update(text);
  for (const { definition } of variants) digest.update(writeJson(definition));
  const lineAt = yamlLines(text);
  return {
    kind: 'definition',
    file,
    suite,
    variants,
    lineOf: (list, index) => lineAt(['tests', list, index]),
    digest: digest.digest('hex'),
  };
}

/** Reads the suites below a folder that the command line or the settings file names. */
function suitesBelow(folder: string, access: FileAccess, problems: string[]): SuiteText[] {
  const wanted = (file: string): boolean => isNamedAsSuite(file) || (/\.ya?ml$/.test(file) && isBelowSuites(file));
  const { files } = filesBelow(folder, { wanted, reportProblem: (problem) => problems.push(problem), access });
  return files.flatMap((file) => {
    const source = suiteAt(file, access.inside(access.repository ?? Repository.around(file, folder)), problems);
    return source !== undefined && (isNamedAsSuite(file) || isInSuiteFolder(source)) ? [source] : [];
  });
}

/** Reads a suite file. Returns undefined, and adds a problem, if it cannot be read. */
function suiteAt(file: string, access: FileAccess, problems: string[]): SuiteText | undefined {
  const read = access.read(file, FILE_LIMITS.suite);
  if (read.ok) return { file, text: read.content.toString('utf8'), access: access.inside(access.repository ?? Repository.around(file)) };
  problems.push(`${file}: ${read.problem}`);
  return undefined;
}

const isBelowSuites = (file: string): boolean => basename(dirname(dirname(file))) === SUITE_FOLDER;

/**
 * Returns true if a file in a subfolder of a folder named `tests` is a suite. The subfolder may also contain other YAML files, so a suite
 * is recognized by its fields `crdName` and `tests`.
 */
function isInSuiteFolder({ text }: SuiteText): boolean {
  const reading = readFirstDocument(text);
  return reading.ok && isJsonObject(reading.value) && reading.value['crdName'] !== undefined && reading.value['tests'] !== undefined;
}

/**
 * Loads a suite of requests to policies, in any of the supported formats. Returns undefined if the file does not have a supported format.
 * Throws a {@link UsageError} if the suite is not valid.
 */
function loadRequestSuite(source: SuiteText, value: JsonValue): RequestSuite | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isKyvernoTest(value)) return loadKyvernoTest(source, value);
  return isPolicySuite(value) ? loadPolicySuite(source, value) : undefined;
}
