import { describe, expect, it } from 'vitest';
import { EngineLoad, FreeSeats } from './engine-load.ts';

describe('the load of an engine', () => {
  it.each([
    { threads: 1, expectedMs: 1, taken: 4 },
    { threads: 1, expectedMs: 0.1, taken: 16 },
    { threads: 1, expectedMs: 4, taken: 1 },
    { threads: 1, expectedMs: Infinity, taken: 1 },
    { threads: 4, expectedMs: 1, taken: 16 },
    { threads: 4, expectedMs: 2, taken: 8 },
    { threads: 4, expectedMs: 50, taken: 4 },
  ])('permits $taken tasks of $expectedMs ms on $threads threads', ({ threads, expectedMs, taken }) => {
    const load = new EngineLoad(threads);
    let count = 0;
    while (load.free) {
      load.take(expectedMs);
      count++;
    }
    expect(count).toBe(taken);
  });

  it('becomes smaller when a task is done', () => {
    const load = new EngineLoad(1);
    const done = load.take(50);
    expect(load.free).toBe(false);
    done();
    expect(load.free).toBe(true);
  });
});

it('the reported number of free seats is an average of about a second, however often it is read', () => {
  let now = 0;
  const seats = new FreeSeats(2, () => now);
  expect(seats.free).toBe(2);
  // One seat is taken for half of the time, in turns of 10 ms.
  for (let i = 0; i < 500; i++) {
    const done = seats.take();
    now += 10;
    if (i % 7 === 0) void seats.free;
    done();
    now += 10;
  }
  expect(seats.free).toBeCloseTo(1.5, 1);
  const all = [seats.take(), seats.take(), seats.take()];
  now += 5000;
  expect(seats.free).toBeCloseTo(0, 1);
  all.forEach((done) => done());
  now += 5000;
  expect(seats.free).toBeCloseTo(2, 1);
});
