import { seededRandom } from '../../../../../testing/seeded-random.ts';

/**
 * Counts the verdicts of `runs` comparisons. `judge` makes one comparison and returns its verdict. Each comparison uses random numbers with
 * a different seed.
 */
export function countVerdicts(runs: number, judge: (random: () => number) => string): Record<string, number> {
  const counts: Record<string, number> = { equal: 0, slower: 0, faster: 0, undecided: 0, tooFew: 0 };
  for (let seed = 1; seed <= runs; seed++) {
    const verdict = judge(seededRandom(seed * 7919));
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}
