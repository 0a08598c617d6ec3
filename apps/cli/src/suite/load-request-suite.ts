import { basename, dirname } from 'node:path';
import { existsSync } from 'node:fs';
import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { loadGatorSuite } from './gatekeeper/load-gator-suite.ts';
import { loadKubescapeTests, policyBeside } from './kubescape/load-kubescape-tests.ts';
import { loadKyvernoTest } from './kyverno/load-kyverno-test.ts';
import { loadPolicySuite } from './load-policy-suite.ts';
import type { RequestSuite } from './request-suite.ts';

/** Names that other projects give to their suites: kyverno's tests, and kubescape's, which lie beside a policy. */
const KYVERNO_TEST = /^kyverno-test\.ya?ml$/;
const KUBESCAPE_TESTS = 'tests.json';

/** Whether a file has the name, and the place, of a suite in another project's form. Gatekeeper's are named as Assay's. */
export function isPeerSuite(file: string): boolean {
  const name = basename(file);
  return KYVERNO_TEST.test(name) || (name === KUBESCAPE_TESTS && existsSync(policyBeside(dirname(file))));
}

/** Loads a suite of requests to policies in whichever form it is; undefined for what is none. Throws a {@link UsageError} for one that cannot be used. */
export function loadRequestSuite(file: string, text: string, value: JsonValue): RequestSuite | undefined {
  if (Array.isArray(value)) return basename(file) === KUBESCAPE_TESTS ? loadKubescapeTests(file, text, value) : undefined;
  if (!isJsonObject(value)) return undefined;
  if (isKind(value, /^(cli\.)?kyverno\.io\//, 'Test')) return loadKyvernoTest(file, text, value);
  if (isKind(value, /^test\.gatekeeper\.sh\//, 'Suite')) return loadGatorSuite(file, text, value);
  return 'cases' in value && 'policies' in value ? loadPolicySuite(file, text, value) : undefined;
}
const isKind = ({ apiVersion, kind: found }: JsonObject, group: RegExp, kind: string): boolean =>
  found === kind && typeof apiVersion === 'string' && group.test(apiVersion);
