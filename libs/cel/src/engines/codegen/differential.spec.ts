import { expect, it } from 'vitest';
import { runDifferential } from '../../testing/differential.ts';

/**
 * Number of random expressions, each of which is evaluated on several objects. For longer runs, set CEL_DIFFERENTIAL to another number and
 * CEL_DIFFERENTIAL_SEED to another seed.
 */
const EXPRESSIONS = Number(process.env['CEL_DIFFERENTIAL'] ?? 2_000);
const SEED = Number(process.env['CEL_DIFFERENTIAL_SEED'] ?? 20260721);
/** Minimum share of the random expressions for which code must be generated completely. */
const COMPILED_SHARE = 0.98;

it(
  `generated code and the interpreter give the same value, error and cost for ${EXPRESSIONS} random expressions`,
  { timeout: 7_200_000 },
  () => {
    const { differences, generated, expressions, refused, cut, failed, evaluations } = runDifferential(SEED, EXPRESSIONS);
    expect(differences).toEqual([]);
    expect(generated / expressions).toBeGreaterThan(COMPILED_SHARE);
    expect(refused / expressions).toBeLessThan(0.05);
    // The sample is useful only if many evaluations are cut by a limit or fail, and many do neither.
    expect(Math.min(cut, failed, evaluations - cut - failed)).toBeGreaterThan(evaluations / 20);
  },
);
