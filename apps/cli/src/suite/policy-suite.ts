import { z } from 'zod';
import { admissionOptions, requestSettings, userInfo, problemsOf } from '#documents';
import type { EvaluationOptions } from '#documents';
import { newJsonObject, writeJson, yamlLines } from '#go';
import type { JsonObject } from '#go';
import { UsageError } from '../usage.ts';
import type { RequestSuite, CaseEnd } from './request-suite.ts';
import { plain, SuiteFiles } from './suite-files.ts';
import type { SuiteText } from './suite-files.ts';
import type { PlacedVerdict } from '../evaluation/evaluate.ts';

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
export function loadPolicySuite(source: SuiteText, value: JsonObject): RequestSuite {
  const { file, text } = source;
  const parsed = policySuiteSchema.safeParse(plain(value));
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
