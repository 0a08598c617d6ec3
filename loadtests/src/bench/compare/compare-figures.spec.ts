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

/** Factor by which an unlucky process is slower in a figure. */
const LUCK = 1.2;

/**
 * Returns the figures that the comparison of two simulated revisions reports as slower. Half of the processes are slower by the factor
 * `unlucky` in a figure.
 */
async function reported(seed: number, planted: Readonly<Record<string, number>>, unlucky: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  let turn = 0;
  const load = (): number => 1 + Math.floor(turn++ / 8) / 20;
  const figures = ['reading', 'updating', 'compiling'];
  const process = (of: Readonly<Record<string, number>>) => () => {
    // Each process optimizes some of the figures better than others, as V8 does.
    const luck = Object.fromEntries(figures.map((figure) => [figure, (of[figure] ?? 1) * (random() < 0.5 ? 1 : unlucky)]));
    return Promise.resolve({ measure: fakeRevision(random, load, luck), stop: () => Promise.resolve() });
  };
  const compared = await compareFigures(
    { ours: process(planted), other: process({}) },
    { figures, processes: 21, warmUps: 1, rounds: 5, bound: 1.05, random },
  );
  return compared.filter(({ beside }) => beside.kind === 'compared' && beside.verdict === 'slower').map(({ figure }) => figure);
}

describe('the comparison of two revisions', () => {
  it('finds an artificial slowdown in the figure that became slower', async () => {
    for (let seed = 1; seed <= 20; seed++) expect(await reported(seed, { updating: 1.25, reading: 0.8 }, 1)).toEqual(['updating']);
  });

  it('finds an artificial slowdown that exceeds the differences between processes', async () => {
    for (let seed = 1; seed <= 20; seed++) expect(await reported(seed, { updating: 1.5, reading: 0.8 }, LUCK)).toEqual(['updating']);
  });

  it('finds no regression in noise, in differences between processes, or in a slowdown within the bound', async () => {
    for (let seed = 1; seed <= 100; seed++) expect(await reported(seed, { compiling: 1.01 }, LUCK)).toEqual([]);
  });

  it('omits a figure that one revision lacks', async () => {
    const process = (time: number | undefined) => () =>
      Promise.resolve({ measure: () => Promise.resolve(time), stop: () => Promise.resolve() });
    const [one] = await compareFigures(
      { ours: process(1), other: process(undefined) },
      { figures: ['new'], processes: 7, warmUps: 1, rounds: 2, bound: 1.05, random: seededRandom(1) },
    );
    expect(one).toEqual({ figure: 'new', beside: { kind: 'tooFew', ratio: undefined, pairs: 0 } });
  });
});
