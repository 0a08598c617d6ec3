import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BorrowedSeats } from './borrowed-seats.ts';

describe('seats that are borrowed', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Returns a `BorrowedSeats` for two threads, in which each flow has a share of one seat. */
  function seats() {
    const requeued: string[] = [];
    const scene = { isWanted: false };
    const borrowed = new BorrowedSeats({ threads: 2, share: 1, isWanted: () => scene.isWanted });
    /** Passes a chunk of a flow to the engine, or other work if `chunk` is undefined. Returns a function that ends the task. */
    const give = (flow: string, chunk?: string): (() => void) => {
      const over = borrowed.take(flow, chunk === undefined ? undefined : () => void requeued.push(chunk));
      borrowed.watch();
      return over;
    };
    return { borrowed, requeued, give, scene };
  }

  it('are taken back from chunks that take long when another flow waits in the queue', () => {
    const { borrowed, requeued, give, scene } = seats();
    give('greedy', 'first');
    give('greedy', 'second');
    scene.isWanted = true;
    borrowed.watch();
    vi.advanceTimersByTime(200);
    expect(requeued).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(requeued).toEqual(['second']);
    // It is stopped once; the other has a seat of the flow's own.
    vi.advanceTimersByTime(1000);
    expect(requeued).toEqual(['second']);
  });

  it('are taken back, with what is in hand, when another flow has a task in hand behind them', () => {
    const { requeued, give } = seats();
    for (const name of ['first', 'second', 'third']) give('greedy', name);
    give('other', 'honest');
    vi.advanceTimersByTime(300);
    expect(requeued).toEqual(['second', 'third']);
  });

  it('are left to their flow while nobody else waits', () => {
    const { requeued, give } = seats();
    for (const name of ['first', 'second', 'third']) give('greedy', name);
    vi.advanceTimersByTime(1000);
    expect(requeued).toEqual([]);
    give('other', 'honest');
    vi.advanceTimersByTime(120);
    expect(requeued).toEqual(['second', 'third']);
  });

  it('are those beyond the share alone: a chunk that was first is not requeued, however long it takes', () => {
    const { borrowed, requeued, give, scene } = seats();
    give('slow', 'long');
    scene.isWanted = true;
    borrowed.watch();
    for (let i = 0; i < 20; i++) {
      const over = give('slow', `short ${i}`);
      vi.advanceTimersByTime(100);
      over();
    }
    expect(requeued).toEqual([]);
  });

  it('are counted with other work of the flow, which is not requeued', () => {
    const { borrowed, requeued, give, scene } = seats();
    give('greedy');
    give('greedy', 'chunk');
    scene.isWanted = true;
    borrowed.watch();
    vi.advanceTimersByTime(300);
    expect(requeued).toEqual(['chunk']);
    give('other');
    give('other');
    vi.advanceTimersByTime(300);
    expect(requeued).toEqual(['chunk']);
  });

  it('are not given again for a while to a flow of which one was taken back', () => {
    const { borrowed, give } = seats();
    give('greedy', 'first');
    const over = give('greedy', 'second');
    give('other', 'honest');
    vi.advanceTimersByTime(300);
    over();
    expect([borrowed.mayBorrow('greedy'), borrowed.mayBorrow('other')]).toEqual([false, true]);
    vi.advanceTimersByTime(5000);
    expect(borrowed.mayBorrow('greedy')).toBe(true);
  });
});
