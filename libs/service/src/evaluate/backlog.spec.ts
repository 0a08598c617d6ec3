import { describe, expect, it } from 'vitest';
import { Backlog } from './backlog.ts';

const judged = (items: number, totalMs?: number) => ({ items, phases: totalMs === undefined ? {} : { total: totalMs } });

describe('the backlog of a batch', () => {
  it('is long if it keeps all threads busy for 50 ms', () => {
    const backlog = new Backlog(2, 1);
    backlog.add(99);
    expect(backlog.isLong).toBe(false);
    backlog.add(1);
    expect(backlog.isLong).toBe(true);
    backlog.update(judged(50));
    expect(backlog.isLong).toBe(false);
  });

  it('learns what items take', () => {
    const backlog = new Backlog(1, 0.1);
    for (let i = 0; i < 8; i++) backlog.add(250);
    expect(backlog.isLong).toBe(true);
    backlog.update(judged(250, 2.5));
    expect(backlog.isLong).toBe(false);
    // Few items are no price.
    const slow = new Backlog(1, 0.1);
    slow.add(250);
    slow.update(judged(9, 1000));
    expect(slow.isLong).toBe(false);
  });

  it('tells how many runs make it long, and bounds them', () => {
    const backlog = new Backlog(1, 0.1);
    expect(backlog.longRuns).toBe(0);
    backlog.add(250);
    expect(backlog.longRuns).toBe(0);
    backlog.update(judged(100, 10));
    expect(backlog.longRuns).toBe(3);
    backlog.update(judged(150, 0));
    expect(backlog.longRuns).toBe(6);
    const cheap = new Backlog(16, 0.1);
    cheap.add(250);
    cheap.update(judged(250, 5));
    expect(cheap.longRuns).toBe(64);
  });

  it('is never long if items cost less than to carry them', () => {
    const backlog = new Backlog(1, 0.1);
    for (let i = 0; i < 100; i++) backlog.add(250);
    backlog.update(judged(250, 250 * 0.019));
    expect([backlog.isLong, backlog.longRuns]).toEqual([false, 0]);
    backlog.update(judged(250, 250 * 0.021));
    expect(backlog.isLong).toBe(true);
  });
});
