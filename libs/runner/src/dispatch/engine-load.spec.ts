import { describe, expect, it } from 'vitest';
import { EngineLoad } from './engine-load.ts';

describe('the load of an engine', () => {
  it.each([
    { threads: 1, expectedMs: 1, taken: 4 },
    { threads: 1, expectedMs: 0.1, taken: 16 },
    { threads: 1, expectedMs: 4, taken: 1 },
    { threads: 1, expectedMs: Infinity, taken: 1 },
    { threads: 4, expectedMs: 1, taken: 16 },
    { threads: 4, expectedMs: 2, taken: 8 },
    { threads: 4, expectedMs: 50, taken: 4 },
  ])('allows $taken tasks of $expectedMs ms on $threads threads', ({ threads, expectedMs, taken }) => {
    const load = new EngineLoad(threads);
    let count = 0;
    while (load.free) {
      load.take(expectedMs);
      count++;
    }
    expect(count).toBe(taken);
  });

  it('falls when a task is done', () => {
    const load = new EngineLoad(1);
    const done = load.take(50);
    expect(load.free).toBe(false);
    done();
    expect(load.free).toBe(true);
  });
});
