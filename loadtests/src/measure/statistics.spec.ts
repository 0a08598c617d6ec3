import { describe, expect, it } from 'vitest';
import { Latencies } from './latencies.ts';
import { noiseOf } from './noise-probe.ts';
import { seededRandom, shuffled } from '../../../testing/seeded-random.ts';

describe('statistics', () => {
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
});
