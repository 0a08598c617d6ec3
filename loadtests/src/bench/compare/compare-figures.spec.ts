import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { compareFigures } from './compare-figures.ts';

/**
 * Returns the function that measures a simulated revision. Each figure takes 100 µs times its factor in `planted`, with noise of a tenth
 * and with a load that affects both revisions.
 */
function fakeRevision(random: () => number, load: () => number, planted: Readonly<Record<string, number>> = {}) {
  return (figure: string) => Promise.resolve(100 * (planted[figure] ?? 1) * load() * (1 + (random() - 0.5) / 5));
}

/** Returns the figures that the comparison of two simulated revisions reports as slower. */
async function reported(seed: number, planted: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const random = seededRandom(seed);
  let turn = 0;
  const load = (): number => 1 + Math.floor(turn++ / 8) / 20;
  const figures = ['reading', 'updating', 'compiling'];
  const compared = await compareFigures(fakeRevision(random, load, planted), fakeRevision(random, load), {
    figures,
    rounds: 20,
    bound: 1.05,
    random,
  });
  return compared.filter(({ beside }) => beside.kind === 'compared' && beside.verdict === 'slower').map(({ figure }) => figure);
}

describe('the comparison of two revisions', () => {
  it('finds an artificial slowdown in the figure that became slower', async () => {
    for (let seed = 1; seed <= 20; seed++) expect(await reported(seed, { updating: 1.25, reading: 0.8 })).toEqual(['updating']);
  });

  it('finds no regression in noise or in a slowdown within the bound', async () => {
    for (let seed = 1; seed <= 100; seed++) expect(await reported(seed, { compiling: 1.01 })).toEqual([]);
  });

  it('omits a figure that one revision lacks', async () => {
    const [one] = await compareFigures(
      () => Promise.resolve(1),
      () => Promise.resolve(undefined),
      { figures: ['new'], rounds: 12, bound: 1.05, random: seededRandom(1) },
    );
    expect(one).toEqual({ figure: 'new', beside: { kind: 'tooFew', ratio: undefined, pairs: 0 } });
  });
});
