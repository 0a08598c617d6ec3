import { describe, expect, it } from 'vitest';
import { SeatTime } from './seat-time.ts';

describe('time of seats', () => {
  let now = 0;

  /** Pieces of work by when they begin and end, ms; what each was charged. */
  async function charges(
    seats: number,
    pieces: readonly (readonly [begin: number, end: number, fails?: boolean])[],
  ): Promise<(number | string)[]> {
    now = 0;
    const time = new SeatTime(seats, () => now);
    const ends: (() => void)[] = [];
    const charged: Promise<number | string>[] = [];
    const moments = pieces.flatMap(([begin, end], piece) => [
      { at: begin, piece, begins: true },
      { at: end, piece, begins: false },
    ]);
    for (const { at, piece, begins } of moments.toSorted((a, b) => a.at - b.at)) {
      now = at;
      if (begins) {
        const work = new Promise<void>((resolve, reject) => {
          ends[piece] = pieces[piece]?.[2] === true ? () => reject(new Error('broke')) : resolve;
        });
        charged[piece] = time.of(work).then(
          ({ spentMs }) => spentMs,
          (error: Error) => error.message,
        );
      } else {
        ends[piece]?.();
        await charged[piece];
      }
    }
    return Promise.all(charged);
  }

  it('is the whole time where there are seats for all', async () => {
    expect(
      await charges(2, [
        [0, 30],
        [10, 50],
      ]),
    ).toEqual([30, 40]);
  });

  it('is shared alike by more pieces of work than there are seats, and sums to what there was', async () => {
    expect(
      await charges(1, [
        [0, 30],
        [10, 45],
      ]),
    ).toEqual([20, 25]);
  });

  it('does not run while nothing is in hand, and ends with work that fails', async () => {
    expect(
      await charges(1, [
        [0, 10, true],
        [500, 510],
      ]),
    ).toEqual(['broke', 10]);
  });
});
