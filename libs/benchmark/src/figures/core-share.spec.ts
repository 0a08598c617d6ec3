import { describe, expect, it } from 'vitest';
import { watchCore } from './core-share.ts';

describe('watchCore', () => {
  /**
   * Measures simulated work of `ms` ms, for which the thread has a core for only `cpu` ms. Returns the share of the time for which the
   * thread had no core, as measured.
   */
  const watched = (cpu: number | undefined, ms = 1000): number | undefined => {
    let at = 0;
    const absent = watchCore({ now: () => at, ...(cpu !== undefined && { cpuMs: () => (at === 0 ? 5 : 5 + cpu) }) });
    at = ms;
    return absent();
  };

  it.each([
    [1000, 0],
    [1010, 0],
    [750, 0.25],
    [0, 1],
  ])('reports the share of the time for which the thread had no core: %i of 1,000 ms with a core', (cpu, share) => {
    expect(watched(cpu)).toBeCloseTo(share, 10);
  });

  it('reports nothing if the measured time is short, or without a clock of CPU time', () => {
    expect([watched(10, 100), watched(undefined)]).toEqual([undefined, undefined]);
  });
});
