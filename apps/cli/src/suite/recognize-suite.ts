import { basename } from 'node:path';
import { isJsonObject, readYaml } from '#go';
import type { JsonObject } from '#go';

/** Suites of a definition, and of policies in Assay's form, are named so. */
const SUITE = /(testsuite|suite)\.ya?ml$/;
/** Kyverno's tests are named so. */
const KYVERNO_TEST = /^kyverno-test\.ya?ml$/;

/** Returns true if a file has the name of a suite. */
export const isNamedAsSuite = (file: string): boolean => SUITE.test(file) || KYVERNO_TEST.test(basename(file));

/** Returns true if a file is a suite, by its name and its content. */
export function isSuite(file: string, bytes: Uint8Array): boolean {
  if (!isNamedAsSuite(file)) return false;
  const reading = readYaml(bytes);
  return reading.ok && isJsonObject(reading.value) && (isKyvernoTest(reading.value) || isOfOwnForm(reading.value));
}

/** Returns true for a test of `kyverno test`. */
export const isKyvernoTest = ({ apiVersion, kind }: JsonObject): boolean =>
  kind === 'Test' && typeof apiVersion === 'string' && /^(cli\.)?kyverno\.io\//.test(apiVersion);
/** Returns a suite of policies in Assay's form, right or wrong. */
export const isPolicySuite = (document: JsonObject): boolean => 'cases' in document && 'policies' in document;

/** Objects of Kubernetes say of what kind they are; suites of definitions and of policies do not. */
const isOfOwnForm = (document: JsonObject): boolean => document['kind'] === undefined && ('tests' in document || isPolicySuite(document));
