import { describe, expect, it } from 'vitest';
import { growthOf } from './growth.ts';
import { Latencies } from './latencies.ts';
import { noiseOf } from './noise-probe.ts';
import { differs, pairedRatio } from './paired-ratio.ts';
import { seededRandom, shuffled } from '../../../testing/seeded-random.ts';
import { warmUp } from './warm-up.ts';

describe('statistics', () => {
  it('finds the exponent of a power, and how sure that is', () => {
    const points = [1000, 4000, 16_000, 64_000].map((x) => ({ x, y: 3 * x ** 2 }));
    expect(growthOf(points)).toMatchObject({ points: 4, exponent: expect.closeTo(2) as number, last: expect.closeTo(2) as number });
    const noisy = growthOf(points.map(({ x, y }, i) => ({ x, y: y * (i % 2 === 0 ? 1.3 : 0.8) })));
    expect(noisy!.lo).toBeLessThan(2);
    expect(noisy!.hi).toBeGreaterThan(2);
    expect(growthOf(points.slice(0, 2))).toBeUndefined();
    // Equal lengths have no slope between them.
    expect(growthOf(points.map(({ y }) => ({ x: 1000, y })))).toBeUndefined();
  });

  it('sees a difference through a drift that both variants share', () => {
    const random = seededRandom(7);
    const drift = Array.from({ length: 20 }, (_, round) => 1 + round / 10);
    const jitter = (): number => 1 + (random() - 0.5) / 20;
    const a = drift.map((value) => 1.1 * value * jitter());
    const b = drift.map((value) => value * jitter());
    const ratio = pairedRatio(a, b, 1)!;
    expect(ratio.lo).toBeGreaterThan(1.05);
    expect(ratio.hi).toBeLessThan(1.15);
    expect(differs(ratio, 1.02)).toBe(true);
    expect(
      differs(
        pairedRatio(
          b,
          b.map((value) => value * jitter()),
          1,
        )!,
        1.02,
      ),
    ).toBe(false);
    expect(pairedRatio([], b, 1)).toBeUndefined();
    expect(
      pairedRatio(
        a,
        b.map(() => 0),
        1,
      ),
    ).toBeUndefined();
    // Few rounds conclude nothing, however far apart.
    expect(differs(pairedRatio(a.slice(0, 5), b.slice(0, 5), 1)!, 1.02)).toBe(false);
  });

  it('tells no percentile that chance decides', () => {
    const latencies = new Latencies();
    for (let ms = 1; ms <= 1000; ms++) latencies.add(ms);
    const summary = latencies.summary();
    expect(summary).toMatchObject({ samples: 1000, p999: null });
    expect(summary.p50).toBeCloseTo(500, -1);
    expect(summary.p99).toBeCloseTo(990, -1);
    expect(new Latencies().summary()).toMatchObject({ samples: 0, p50: null, p99: null, p99Interval: null, curve: [] });
  });

  it('adds what a stalled closed client could not send', () => {
    const [raw, corrected] = [new Latencies(), new Latencies()];
    for (let sample = 0; sample < 1000; sample++) {
      const ms = sample % 100 === 0 ? 250 : 1;
      raw.add(ms);
      corrected.addCorrected(ms, 10);
    }
    expect(raw.summary().p90).toBeLessThan(2);
    expect(corrected.summary().p90).toBeGreaterThan(50);
    expect(corrected.summary().samples).toBeGreaterThan(1000);
  });

  it('shuffles all items, the same way for the same seed', () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    expect(shuffled(items, seededRandom(3))).toEqual(shuffled(items, seededRandom(3)));
    expect(shuffled(items, seededRandom(3))).not.toEqual(items);
    expect(shuffled(items, seededRandom(3)).toSorted((a, b) => a - b)).toEqual(items);
  });

  it('calls a machine noisy by the share of disturbed probes', () => {
    expect(noiseOf(Array.from({ length: 100 }, () => 2)).verdict).toBe('quiet');
    expect(noiseOf(Array.from({ length: 100 }, (_, i) => (i < 5 ? 3 : 2))).verdict).toBe('usable');
    expect(noiseOf(Array.from({ length: 100 }, (_, i) => (i < 20 ? 3 : 2))).verdict).toBe('noisy');
  });

  it('gives up warming what never gets steady, and says so', () => {
    let turn = 0;
    const unsteady = (): void => {
      const until = performance.now() + (turn++ % 2 === 0 ? 0.2 : 2);
      while (performance.now() < until);
    };
    expect(warmUp(unsteady, 60).capped).toBe(true);
  });
});
