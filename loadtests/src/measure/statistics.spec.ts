import { describe, expect, it } from 'vitest';
import { latencySummary } from './latencies.ts';
import { noiseOf } from './noise-probe.ts';

describe('statistics', () => {
  it('report no percentile for which there are too few samples', () => {
    const summary = latencySummary(Array.from({ length: 1000 }, (_, i) => 1000 - i));
    expect(summary).toMatchObject({ samples: 1000, p999: undefined, max: 1000 });
    expect(summary.p50).toBeCloseTo(500, -1);
    expect(summary.p99).toBeCloseTo(990, -1);
    expect(latencySummary([])).toEqual({ samples: 0 });
  });

  it('call a machine noisy by the share of disturbed probes', () => {
    expect(noiseOf(Array.from({ length: 100 }, () => 2)).verdict).toBe('quiet');
    expect(noiseOf(Array.from({ length: 100 }, (_, i) => (i < 5 ? 3 : 2))).verdict).toBe('usable');
    expect(noiseOf(Array.from({ length: 100 }, (_, i) => (i < 20 ? 3 : 2))).verdict).toBe('noisy');
  });
});
