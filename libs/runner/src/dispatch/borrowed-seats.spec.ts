import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BorrowedSeats } from './borrowed-seats.ts';

describe('borrowed seats', () => {
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

  it('are taken from long chunks when another flow waits in the queue', () => {
    const { borrowed, requeued, give, scene } = seats();
    give('greedy', 'first');
    give('greedy', 'second');
    scene.isWanted = true;
    borrowed.watch();
    vi.advanceTimersByTime(200);
    expect(requeued).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(requeued).toEqual(['second']);
    // The chunk is stopped once, and the other chunk has a seat of the flow's own.
    vi.advanceTimersByTime(1000);
    expect(requeued).toEqual(['second']);
  });

  it('are taken from running and waiting tasks when another flow has a task behind them', () => {
    const { requeued, give } = seats();
    for (const name of ['first', 'second', 'third']) give('greedy', name);
    give('other', 'honest');
    vi.advanceTimersByTime(300);
    expect(requeued).toEqual(['second', 'third']);
  });

  it('stay with their flow until another flow waits', () => {
    const { requeued, give } = seats();
    for (const name of ['first', 'second', 'third']) give('greedy', name);
    vi.advanceTimersByTime(1000);
    expect(requeued).toEqual([]);
    give('other', 'honest');
    vi.advanceTimersByTime(120);
    expect(requeued).toEqual(['second', 'third']);
  });

  it("do not include the seat of a flow's share: the flow's first chunk is never requeued", () => {
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

  it('are counted with the other work of the flow, but only chunks are requeued', () => {
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

  it('are not lent for a while to a flow from which one was taken', () => {
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
