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

  it.each<{ name: string; seats: number; pieces: Parameters<typeof charges>[1]; charged: (number | string)[] }>([
    {
      name: 'is the whole time where there are seats for all',
      seats: 2,
      pieces: [
        [0, 30],
        [10, 50],
      ],
      charged: [30, 40],
    },
    {
      name: 'is shared alike by more pieces than seats, and sums to what there was',
      seats: 1,
      pieces: [
        [0, 30],
        [10, 45],
      ],
      charged: [20, 25],
    },
    {
      name: 'does not run while nothing is in hand, and ends with work that fails',
      seats: 1,
      pieces: [
        [0, 10, true],
        [500, 510],
      ],
      charged: ['broke', 10],
    },
  ])('$name', async ({ seats, pieces, charged }) => {
    expect(await charges(seats, pieces)).toEqual(charged);
  });
});
