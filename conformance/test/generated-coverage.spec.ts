import { describe, expect, it } from 'vitest';
import { thorough } from '../../testing/thorough.ts';
import { coverageOfDefinitions, coverageOfRandomExpressions } from '../src/generated-coverage.ts';
import { sharedIsHere } from '../src/shared-folder.ts';

/**
 * Minimum share of the programs of real definitions that must run as generated code. `OF_RANDOM_EXPRESSIONS` is the same minimum for random
 * expressions. The remaining programs are interpreted, with the same result.
 */
const OF_DEFINITIONS = 0.995;
const OF_RANDOM_EXPRESSIONS = 0.97;

describe.skipIf(!sharedIsHere || !thorough)('generated code', () => {
  it('exists for nearly all rules of real definitions', { timeout: 600_000 }, () => {
    const { share, programs } = coverageOfDefinitions();
    expect(programs).toBeGreaterThan(10_000);
    expect(share).toBeGreaterThanOrEqual(OF_DEFINITIONS);
  });

  it('exists for most random expressions', { timeout: 600_000 }, async () => {
    const { share, programs } = await coverageOfRandomExpressions();
    expect(programs).toBeGreaterThan(9_000);
    expect(share).toBeGreaterThanOrEqual(OF_RANDOM_EXPRESSIONS);
  });
});
