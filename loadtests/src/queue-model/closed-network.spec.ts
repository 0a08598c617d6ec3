import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { simulate } from './closed-network.ts';
import type { ClosedNetwork } from './closed-network.ts';

const REQUESTS = 40_000;
const base: ClosedNetwork = {
  stations: [{ name: 'a', servers: 1 }],
  path: [{ station: 0, ms: 2 }],
  delayMs: 0,
  customers: 1,
  cores: 100,
  spread: 'exponential',
};
const two = {
  stations: [
    { name: 'a', servers: 1 },
    { name: 'b', servers: 1 },
  ],
  path: [
    { station: 0, ms: 2 },
    { station: 1, ms: 2 },
  ],
};

/** Throughput of a repairman's shop: M/M/1 with so many customers who think for `delayMs` in the mean. Source: Lazowska et al., Quantitative System Performance, ch. 6 (mean value analysis). */
function meanValueAnalysis(demands: readonly number[], delayMs: number, customers: number): number {
  let lengths = demands.map(() => 0);
  let throughput = 0;
  for (let n = 1; n <= customers; n++) {
    const residence = demands.map((demand, i) => demand * (1 + (lengths[i] ?? 0)));
    throughput = n / (delayMs + residence.reduce((sum, one) => sum + one, 0));
    lengths = residence.map((one) => one * throughput);
  }
  return 1000 * throughput;
}

describe('a simulated closed network', () => {
  it.each<[what: string, network: Partial<ClosedNetwork>, perSecond: number, meanMs: number]>([
    ['one customer alone', {}, 500, 2],
    ['a station that is never idle', { customers: 8 }, 500, 16],
    ['two equal stations, N ÷ (N + 1) of their rate', { ...two, customers: 4 }, 400, 10],
    ['several servers of one queue', { stations: [{ name: 'a', servers: 3 }], customers: 9 }, 1500, 6],
    ['more servers than customers', { stations: [{ name: 'a', servers: 9 }], customers: 3 }, 1500, 2],
    ['servers that share two cores', { stations: [{ name: 'a', servers: 4 }], customers: 8, cores: 2 }, 1000, 8],
    ['stations that share a core: the sum of their work', { ...two, customers: 4, cores: 1 }, 250, 16],
    ['fixed times', { ...two, customers: 2, spread: 'fixed' }, 500, 4],
    ['customers who think', { delayMs: 6, customers: 3 }, meanValueAnalysis([2], 6, 3), 3000 / meanValueAnalysis([2], 6, 3)],
    [
      'unequal stations and customers who think',
      {
        stations: two.stations,
        path: [
          { station: 0, ms: 1 },
          { station: 1, ms: 3 },
        ],
        delayMs: 5,
        customers: 5,
      },
      meanValueAnalysis([1, 3], 5, 5),
      5000 / meanValueAnalysis([1, 3], 5, 5),
    ],
  ])('agrees with the known formula for %s', (_, more, perSecond, meanMs) => {
    const figures = simulate({ ...base, ...more }, REQUESTS, seededRandom(1));
    expect(figures.perSecond / perSecond).toBeCloseTo(1, 1);
    expect(Math.abs(figures.perSecond / perSecond - 1)).toBeLessThan(0.03);
    expect(Math.abs(figures.meanMs / meanMs - 1)).toBeLessThan(0.03);
  });

  it('gives the same figures for the same seed', () => {
    const network = { ...base, ...two, customers: 3 };
    expect(simulate(network, 500, seededRandom(5))).toEqual(simulate(network, 500, seededRandom(5)));
  });

  it('ends however slow its machine is, and refuses a machine without cores', () => {
    const slow = simulate({ ...base, ...two, customers: 8, delayMs: 1, cores: 1e-9 }, 2000, seededRandom(3));
    expect(slow.perSecond).toBeGreaterThan(0);
    for (const cores of [0, -0.5, Number.NaN]) expect(() => simulate({ ...base, cores }, 10, seededRandom(3))).toThrow('share of a core');
  });
});
