import { describe, expect, it } from 'vitest';
import { Hands } from './hands.ts';

describe('what an engine has in hand', () => {
  it.each([
    { threads: 1, expectedMs: 1, taken: 4 },
    { threads: 1, expectedMs: 0.1, taken: 16 },
    { threads: 1, expectedMs: 4, taken: 1 },
    { threads: 1, expectedMs: Infinity, taken: 1 },
    { threads: 4, expectedMs: 1, taken: 16 },
    { threads: 4, expectedMs: 2, taken: 8 },
    { threads: 4, expectedMs: 50, taken: 4 },
  ])('is $taken pieces of $expectedMs ms on $threads threads', ({ threads, expectedMs, taken }) => {
    const hands = new Hands(threads);
    let count = 0;
    while (hands.free) {
      hands.take(expectedMs);
      count++;
    }
    expect(count).toBe(taken);
  });

  it('is free again when a piece is done', async () => {
    const hands = new Hands(1);
    const done = hands.take(50);
    let freed = false;
    const waiting = hands.whenFree().then(() => (freed = true));
    await Promise.resolve();
    expect(freed).toBe(false);
    done();
    await waiting;
    expect(hands.free).toBe(true);
  });
});
