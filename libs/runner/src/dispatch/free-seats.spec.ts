import { expect, it } from 'vitest';
import { FreeSeats } from './free-seats.ts';

it('reports the free seats as an average of about a second, regardless of the readers', () => {
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
