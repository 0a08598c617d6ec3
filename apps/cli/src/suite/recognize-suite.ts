import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isJsonObject, readYaml } from '#go';
import type { JsonObject } from '#go';

/** Suites of a definition, and of policies in Assay's form or gator's, are named so. */
const SUITE = /(testsuite|suite)\.ya?ml$/;
/** Names that other projects give to their suites: kyverno's tests, and kubescape's, which lie beside a policy. */
const KYVERNO_TEST = /^kyverno-test\.ya?ml$/;
const KUBESCAPE_TESTS = 'tests.json';
const POLICY = 'policy.yaml';

/** Whether a file has the name, and the place, of a suite. */
export function isNamedAsSuite(file: string): boolean {
  const name = basename(file);
  return SUITE.test(file) || KYVERNO_TEST.test(name) || (name === KUBESCAPE_TESTS && existsSync(join(dirname(file), POLICY)));
}

/** Whether a file is a suite, by its name and by what it holds. */
export function isSuite(file: string, bytes: Uint8Array): boolean {
  if (!isNamedAsSuite(file)) return false;
  const reading = readYaml(bytes);
  if (!reading.ok) return false;
  if (!isJsonObject(reading.value)) return Array.isArray(reading.value);
  return isKyvernoTest(reading.value) || isGatorSuite(reading.value) || isOfOwnForm(reading.value);
}

/** A test of `kyverno test`. */
export const isKyvernoTest = (document: JsonObject): boolean => isKind(document, /^(cli\.)?kyverno\.io\//, 'Test');
/** A suite of `gator verify`. */
export const isGatorSuite = (document: JsonObject): boolean => isKind(document, /^test\.gatekeeper\.sh\//, 'Suite');
/** A suite of policies in Assay's form, right or wrong. */
export const isPolicySuite = (document: JsonObject): boolean => 'cases' in document && 'policies' in document;

/** Objects of Kubernetes say of what kind they are; suites of definitions and of policies do not. */
const isOfOwnForm = (document: JsonObject): boolean => document['kind'] === undefined && ('tests' in document || isPolicySuite(document));
const isKind = ({ apiVersion, kind: found }: JsonObject, group: RegExp, kind: string): boolean =>
  found === kind && typeof apiVersion === 'string' && group.test(apiVersion);
