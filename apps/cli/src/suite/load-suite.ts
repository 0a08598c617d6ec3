import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { isJsonObject, readFirstDocument, readYaml, writeJson, yamlLines, newJsonObject } from '#go';
import type { JsonValue, JsonObject } from '#go';
import { problemsOf, admissionOptions, requestSettings, userInfo } from '#documents';
import type { Engine } from '#runner';
import { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-problem.ts';
import { filesBelow, isFolder } from '../files/files-below.ts';
import { Repository } from '../files/repository.ts';
import { UsageError } from '../usage.ts';
import { chooseVariants, findDefinitions } from './find-definitions.ts';
import type { DefinitionInFile } from './find-definitions.ts';
import { isNamedAsSuite, isKyvernoTest, isPolicySuite } from './recognize-suite.ts';
import type { RequestSuite, CaseEnd } from './request-suite.ts';
import type { SuiteText } from './suite-files.ts';
import { suiteSchema } from './suite.ts';
import type { Suite } from './suite.ts';
import { loadKyvernoTest } from './kyverno/load-kyverno-test.ts';
import { z } from 'zod';
import type { EvaluationOptions } from '#documents';
import { plainValues, SuiteFiles } from './suite-files.ts';
import type { PlacedVerdict } from '../evaluation/evaluate.ts';

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

/** Schema of a case: an admission request and its expected result. */
const policyCase = z.strictObject({
  name: z.string().min(1),
  ...requestSettings.shape,
  request: requestSettings.shape.request.unwrap().optional().describe('For requests that do not write a whole object'),
  object: z.looseObject({}).optional().describe('The object in the request'),
  oldObject: z.looseObject({}).optional().describe('The stored object'),
  expect: z.enum(['allowed', 'denied']),
  message: z.string().optional().describe('Part of the text with which the server refuses the request'),
  warnings: z.array(z.string()).optional().describe('Part of each warning, in order; default: warnings are ignored'),
  auditAnnotations: z.record(z.string(), z.string()).optional().describe('Annotations that the audit event has, among others'),
  mutated: z.looseObject({}).optional().describe('Fields that the object has when it is stored, among others'),
});
/** Parsed case of a policy suite. */
type PolicyCase = z.infer<typeof policyCase>;

/** Schema of a suite of admission policies: the policies, the cluster objects that they read, and requests with expected results. */
const policySuiteSchema = z.strictObject({
  name: z.string().min(1),
  policies: z.array(z.string()).min(1).describe('Files with policies and bindings, relative to the suite'),
  cluster: z.array(z.string()).default([]).describe('Files with definitions, Namespaces and parameters, relative to the suite'),
  kubernetesVersion: z.string().optional().describe('Kubernetes version of the server, instead of the version of the command line'),
  userInfo: userInfo.optional().describe('The user of cases without a user; default: an administrator'),
  authorizer: admissionOptions.shape.authorizer,
  cases: z.array(policyCase).min(1),
});
/** Parsed test suite of admission policies: the policies, the cluster objects that they read, and requests with expected results. */
type PolicySuite = z.infer<typeof policySuiteSchema>;

/** Loads a policy suite in Assay's own format. Throws a {@link UsageError} if the suite, or a file that it names, cannot be used. */
function loadPolicySuite(source: SuiteText, value: JsonObject): RequestSuite {
  const { file, text } = source;
  const parsed = policySuiteSchema.safeParse(plainValues(value));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'suite').join('; ')}`);
  const suite = parsed.data;
  const files = new SuiteFiles(source);
  const inputs = [...suite.policies, ...suite.cluster].map((name) => files.input(name));
  const lineAt = yamlLines(text);
  const written = value['cases'] as JsonObject[];
  const cases = suite.cases.map((test, i) => ({
    name: test.name,
    line: lineAt(['cases', i]),
    item: itemOf(written[i]),
    end: (verdict: Parameters<typeof judgePolicyCase>[1]) => judgePolicyCase(test, verdict),
  }));
  return {
    kind: 'requests',
    file,
    name: suite.name,
    batches: [{ inputs, cases }],
    optionsOver: (options) => optionsOver(options, suite),
    files: files.names,
    digest: files.digest,
  };
}

/** Returns the options of the command line, overridden by the options of a suite. */
function optionsOver(options: EvaluationOptions, suite: PolicySuite): object {
  const { kubernetesVersion = options.kubernetesVersion, userInfo = options.admission.userInfo, authorizer } = suite;
  return { ...options, kubernetesVersion, admission: { ...(userInfo && { userInfo }), authorizer } };
}

/** Fields of a case that become its admission request. */
const MEMBERS = ['object', 'oldObject', 'operation', 'request', 'userInfo'] as const;

function itemOf(test: JsonObject | undefined): string {
  const item = newJsonObject();
  for (const member of MEMBERS) {
    const value = test?.[member];
    if (value !== undefined) item[member] = value;
  }
  return writeJson(item);
}

/**
 * Compares the verdict on a test case of a policy with the expectation of the case. Returns undefined if the case passes, and the first
 * difference otherwise.
 */
function judgePolicyCase(test: PolicyCase, { outcome, status, warnings, admission, object }: PlacedVerdict): CaseEnd {
  const text = status?.message ?? '';
  if (test.expect === 'allowed' && outcome === 'rejected') return { problem: `denied: ${text}` };
  if (test.expect === 'denied' && outcome === 'accepted') return { problem: 'expected a denial, but the request is allowed' };
  if (test.message !== undefined && !text.includes(test.message))
    return { problem: `expected a denial with ${JSON.stringify(test.message)}, got: ${text}` };
  const problem =
    warningsProblem(test.warnings, warnings) ??
    lacking('audit annotations', test.auditAnnotations ?? {}, admission?.auditAnnotations ?? {}) ??
    (test.mutated && lacking('the stored object', test.mutated, object));
  return problem === undefined ? undefined : { problem };
}

function warningsProblem(expected: readonly string[] | undefined, found: readonly string[]): string | undefined {
  if (expected === undefined) return undefined;
  const agree = expected.length === found.length && expected.every((part, i) => found[i]?.includes(part));
  return agree ? undefined : `expected warnings with ${JSON.stringify(expected)}, got: ${JSON.stringify(found)}`;
}

/**
 * Compares a value with its expectation. Returns a sentence about the first difference; undefined if there is no difference. In a map, only
 * the expected keys are compared; lists must have the same length. `name` names the value in the sentence.
 */
export function lacking(name: string, expected: unknown, found: unknown, path = ''): string | undefined {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.map((item, i) => lacking(name, item, found[i], `${path}[${i}]`)).find((problem) => problem !== undefined);
  if (isMap(expected) && isMap(found))
    return Object.entries(expected)
      .map(([key, value]) => lacking(name, value, found[key], path === '' ? key : `${path}.${key}`))
      .find((problem) => problem !== undefined);
  if (JSON.stringify(expected) === JSON.stringify(found)) return undefined;
  const what = found === undefined ? 'there is none' : `it is ${JSON.stringify(found)}`;
  return `${name}: expected ${path === '' ? '' : `${path} to be `}${JSON.stringify(expected)}, but ${what}`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
