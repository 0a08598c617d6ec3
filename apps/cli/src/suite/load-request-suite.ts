import { isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { loadKyvernoTest } from './kyverno/load-kyverno-test.ts';
import { loadPolicySuite } from './load-policy-suite.ts';
import { isKyvernoTest, isPolicySuite } from './recognize-suite.ts';
import type { RequestSuite } from './request-suite.ts';

/**
 * Loads a suite of requests to policies, in any of the supported formats. Returns undefined if the file does not have a supported format.
 * Throws a {@link UsageError} if the suite is not valid.
 */
export function loadRequestSuite(file: string, text: string, value: JsonValue): RequestSuite | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isKyvernoTest(value)) return loadKyvernoTest(file, text, value);
  return isPolicySuite(value) ? loadPolicySuite(file, text, value) : undefined;
}
