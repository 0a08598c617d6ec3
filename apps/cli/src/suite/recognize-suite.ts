import { basename } from 'node:path';
import { isJsonObject, readFirstDocument } from '#go';
import type { JsonObject } from '#go';
import { FILE_LIMITS } from '../files/file-problem.ts';

/** Pattern of the file names of definition suites, and of policy suites in Assay's format. */
const SUITE = /(testsuite|suite)\.ya?ml$/;
/** Pattern of the file names of kyverno tests. */
const KYVERNO_TEST = /^kyverno-test\.ya?ml$/;

/** Returns true if a file has the name of a suite. */
export const isNamedAsSuite = (file: string): boolean => SUITE.test(file) || KYVERNO_TEST.test(basename(file));

/** Returns true if a file is a suite, judging by its name and its content. */
export function isSuite(file: string, bytes: Uint8Array): boolean {
  if (!isNamedAsSuite(file) || bytes.length > FILE_LIMITS.suite) return false;
  const reading = readFirstDocument(bytes);
  return reading.ok && isJsonObject(reading.value) && (isKyvernoTest(reading.value) || isOfOwnForm(reading.value));
}

/** Returns true if a document is a test of `kyverno test`. */
export const isKyvernoTest = ({ apiVersion, kind }: JsonObject): boolean =>
  kind === 'Test' && typeof apiVersion === 'string' && /^(cli\.)?kyverno\.io\//.test(apiVersion);
/** Returns true if a document is meant as a policy suite in Assay's format, whether or not it is valid. */
export const isPolicySuite = (document: JsonObject): boolean => 'cases' in document && 'policies' in document;

/** Returns true if a document is a suite in one of Assay's formats. Assay's suites have no `kind`, in contrast to Kubernetes objects. */
const isOfOwnForm = (document: JsonObject): boolean => document['kind'] === undefined && ('tests' in document || isPolicySuite(document));
