import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { copyJson, isJsonObject, writeJson, yamlLines } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { problemsOf } from '#evaluation';
import type { PlacedVerdict } from '../../evaluate.ts';
import { UsageError } from '../../usage.ts';
import type { CaseEnd, RequestBatch, RequestSuite, SuiteCase } from '../request-suite.ts';
import { madeInput, SuiteFiles } from '../suite-files.ts';
import { changeField } from './change-field.ts';

/** One of kubescape's tests. Source: kubescape/cel-admission-library scripts/run-control-tests.py (fc2fb67). */
const kubescapeTest = z.looseObject({
  name: z.string(),
  template: z.string(),
  expected: z.string(),
  field_change_list: z.array(z.string()).default([]),
  binding_template: z.string().default('policy-binding.yaml'),
  param_template: z.string().default('default-control-configuration.yaml'),
});
type KubescapeTest = z.infer<typeof kubescapeTest>;

/** Where the library keeps what its tests write, seen from a control's folder. */
const RESOURCES = '../../test-resources';
const PARAMETER_DEFINITION = '../../configuration/policy-configuration-definition.yaml';
const POLICY = 'policy.yaml';

/**
 * Loads the tests of one of kubescape's controls: `tests.json` beside `policy.yaml`, objects and bindings in `test-resources`. Each test is a policy with its
 * binding and parameter, and a template with changed fields.
 */
export function loadKubescapeTests(file: string, text: string, value: JsonValue): RequestSuite {
  const parsed = z
    .array(kubescapeTest)
    .min(1)
    .safeParse(JSON.parse(writeJson(value)));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'tests').join('; ')}`);
  const files = new SuiteFiles(file, text);
  const policy = files.document(POLICY);
  const lineAt = yamlLines(text);
  const world = new Map<string, { readonly batch: RequestBatch; readonly cases: SuiteCase[] }>();
  const name = nameOf(policy);
  for (const [i, test] of parsed.data.entries()) {
    const key = JSON.stringify([test.binding_template, test.param_template]);
    const known = world.get(key);
    const cases = known?.cases ?? [];
    if (known === undefined) world.set(key, { cases, batch: { inputs: inputsOf(test, policy, files, file), cases } });
    cases.push(caseOf(test, name, lineAt([i]), files));
  }
  return {
    kind: 'requests',
    file,
    name: basename(dirname(file)),
    batches: [...world.values()].map(({ batch }) => batch),
    files: files.names,
    digest: files.digest,
  };
}

/** The policy, its binding and its parameter, named as the library's runner names them. */
function inputsOf(test: KubescapeTest, policy: JsonObject, files: SuiteFiles, file: string): RequestBatch['inputs'] {
  const name = nameOf(policy);
  const binding = changed(files.document(`${RESOURCES}/${test.binding_template}`), [
    `spec.policyName=${name}`,
    `metadata.name=${name}-binding`,
    `spec.paramRef.name=${name}-params`,
  ]);
  const param = changed(files.document(`${RESOURCES}/${test.param_template}`), [`metadata.name=${name}-params`]);
  for (const made of [binding, param]) if (typeof made === 'string') throw new UsageError(`${file}: ${made}`);
  const definition = existsSync(join(dirname(file), PARAMETER_DEFINITION)) ? [files.input(PARAMETER_DEFINITION)] : [];
  return [...definition, madeInput(`${file}, ${test.name}`, [policy, binding as JsonObject, param as JsonObject])];
}

function caseOf(test: KubescapeTest, policy: string, line: number | undefined, files: SuiteFiles): SuiteCase {
  const { name } = test;
  const end = END[test.expected];
  if (end === undefined) return { name, line, notSupported: `expected is ${JSON.stringify(test.expected)}, not pass, fail or warn` };
  const object = changed(files.document(`${RESOURCES}/${test.template}`), test.field_change_list);
  if (typeof object === 'string') return { name, line, notSupported: object };
  return { name, line, item: writeJson(object), end: (verdict) => end(verdict, policy) };
}

const END: Readonly<Record<string, (verdict: PlacedVerdict, policy: string) => CaseEnd>> = {
  pass: ({ outcome, status }) => (outcome === 'accepted' ? undefined : { problem: `denied: ${status?.message ?? ''}` }),
  fail: ({ outcome, status }, policy) => {
    if (outcome === 'accepted') return { problem: 'expected a denial, but the request is allowed' };
    const said = status?.message ?? '';
    return said.includes(policy) ? undefined : { problem: `expected a denial by ${policy}, got: ${said}` };
  },
  warn: ({ outcome, status, warnings }, policy) => {
    if (outcome !== 'accepted') return { problem: `denied: ${status?.message ?? ''}` };
    return warnings.some((warning) => warning.includes(policy))
      ? undefined
      : { problem: `expected a warning of ${policy}, got: ${JSON.stringify(warnings)}` };
  },
};

/** A copy with changed fields; or what is wrong with a change. */
function changed(object: JsonObject, changes: readonly string[]): JsonObject | string {
  const copy = copyJson(object);
  for (const change of changes) {
    const problem = changeField(copy, change);
    if (problem !== undefined) return problem;
  }
  return copy;
}

function nameOf({ metadata }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}
