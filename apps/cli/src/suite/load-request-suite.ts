import { isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { loadKyvernoTest } from './kyverno/load-kyverno-test.ts';
import { loadPolicySuite } from './load-policy-suite.ts';
import { isKyvernoTest, isPolicySuite } from './recognize-suite.ts';
import type { RequestSuite } from './request-suite.ts';
import type { SuiteText } from './suite-files.ts';

/**
 * Loads a suite of requests to policies, in any of the supported formats. Returns undefined if the file does not have a supported format.
 * Throws a {@link UsageError} if the suite is not valid.
 */
export function loadRequestSuite(source: SuiteText, value: JsonValue): RequestSuite | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isKyvernoTest(value)) return loadKyvernoTest(source, value);
  return isPolicySuite(value) ? loadPolicySuite(source, value) : undefined;
}
