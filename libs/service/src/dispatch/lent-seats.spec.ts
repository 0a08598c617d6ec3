import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LentSeats } from './lent-seats.ts';

describe('seats that are lent', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Two threads, of which each flow has one for its own. */
  function seats() {
    const setBack: string[] = [];
    const scene = { isWanted: false };
    const lent = new LentSeats({ threads: 2, share: 1, isWanted: () => scene.isWanted });
    /** The engine is given a chunk of a flow, or other work. */
    const give = (flow: string, chunk?: string): (() => void) => {
      const over = lent.take(flow, chunk === undefined ? undefined : () => void setBack.push(chunk));
      lent.watch();
      return over;
    };
    return { lent, setBack, give, scene };
  }

  it('are taken back from chunks that take long when another flow waits in the queue', () => {
    const { lent, setBack, give, scene } = seats();
    give('greedy', 'first');
    give('greedy', 'second');
    scene.isWanted = true;
    lent.watch();
    vi.advanceTimersByTime(200);
    expect(setBack).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(setBack).toEqual(['second']);
    // It is stopped once; the other has a seat of the flow's own.
    vi.advanceTimersByTime(1000);
    expect(setBack).toEqual(['second']);
  });

  it('are taken back, with what is in hand, when another flow has a piece in hand behind them', () => {
    const { setBack, give } = seats();
    for (const name of ['first', 'second', 'third']) give('greedy', name);
    give('other', 'honest');
    vi.advanceTimersByTime(300);
    expect(setBack).toEqual(['second', 'third']);
  });

  it('are left to their flow while nobody else waits', () => {
    const { setBack, give } = seats();
    for (const name of ['first', 'second', 'third']) give('greedy', name);
    vi.advanceTimersByTime(1000);
    expect(setBack).toEqual([]);
    give('other', 'honest');
    vi.advanceTimersByTime(120);
    expect(setBack).toEqual(['second', 'third']);
  });

  it('are those beyond the share alone: a chunk that was first is not set back, however long it takes', () => {
    const { lent, setBack, give, scene } = seats();
    give('slow', 'long');
    scene.isWanted = true;
    lent.watch();
    for (let i = 0; i < 20; i++) {
      const over = give('slow', `short ${i}`);
      vi.advanceTimersByTime(100);
      over();
    }
    expect(setBack).toEqual([]);
  });

  it('are counted with other work of the flow, which is not set back', () => {
    const { lent, setBack, give, scene } = seats();
    give('greedy');
    give('greedy', 'chunk');
    scene.isWanted = true;
    lent.watch();
    vi.advanceTimersByTime(300);
    expect(setBack).toEqual(['chunk']);
    give('other');
    give('other');
    vi.advanceTimersByTime(300);
    expect(setBack).toEqual(['chunk']);
  });

  it('are not lent again for a while to a flow of which one was taken back', () => {
    const { lent, give } = seats();
    give('greedy', 'first');
    const over = give('greedy', 'second');
    give('other', 'honest');
    vi.advanceTimersByTime(300);
    over();
    expect([lent.mayBorrow('greedy'), lent.mayBorrow('other')]).toEqual([false, true]);
    vi.advanceTimersByTime(5000);
    expect(lent.mayBorrow('greedy')).toBe(true);
  });
});
