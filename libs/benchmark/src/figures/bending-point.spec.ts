import { describe, expect, it } from 'vitest';
import { firstOver, firstOverLater } from './bending-point.ts';

const from =
  (answer: number, requested: number[] = []) =>
  (size: number): boolean => {
    requested.push(size);
    return size >= answer;
  };

describe('the first size that is over a limit', () => {
  it('is found exactly, at each position in the range', () => {
    for (const low of [0, 1, 7])
      for (let answer = low; answer <= 300; answer++)
        expect(firstOver(from(answer), { low, high: 300, maxEvaluations: 20 })).toMatchObject({ kind: 'found', size: answer });
  });

  it('is found with at most 42 evaluations among a million sizes, and no evaluated size is more than twice the answer', () => {
    for (const answer of [1, 2, 3, 1000, 99_999, 65_537, 1_000_000]) {
      const requested: number[] = [];
      const found = firstOver(from(answer, requested), { low: 1, high: 1_000_000, maxEvaluations: 42 });
      expect(found).toEqual({ kind: 'found', size: answer, evaluations: requested.length });
      expect(Math.max(...requested)).toBeLessThanOrEqual(2 * answer);
      expect(new Set(requested).size).toBe(requested.length);
    }
  });

  it('is reported as "never" if no size of the range is over the limit', () => {
    expect(firstOver(from(101), { low: 1, high: 100, maxEvaluations: 20 })).toEqual({ kind: 'never', evaluations: 8 });
    expect(firstOver(from(1), { low: 5, high: 4, maxEvaluations: 20 })).toEqual({ kind: 'never', evaluations: 0 });
  });

  it('is reported as a lower and an upper bound if the evaluations run out', () => {
    expect(firstOver(from(1000), { low: 1, high: 4096, maxEvaluations: 5 })).toEqual({
      kind: 'gaveUp',
      notOver: 16,
      over: undefined,
      evaluations: 5,
    });
    expect(firstOver(from(1000), { low: 1, high: 4096, maxEvaluations: 12 })).toEqual({
      kind: 'gaveUp',
      notOver: 768,
      over: 1024,
      evaluations: 12,
    });
    expect(firstOver(from(1), { low: 1, high: 4096, maxEvaluations: 0 })).toMatchObject({ kind: 'gaveUp', evaluations: 0 });
  });

  it.each([
    ['n', (size: number) => 5 * size + 3],
    ['n²', (size: number) => 5 * size ** 2 + 7 * size + 100],
    ['n³', (size: number) => size ** 3],
    ['steps', (size: number) => size * Math.ceil(size / 10)],
    ['a sudden rise', (size: number) => (size < 500 ? size : size ** 4)],
    ['a rise to a level', (size: number) => Math.min(size ** 2, 999_999) + (size > 4000 ? 5 : 0)],
  ])('is the same, and no size is evaluated twice, if evaluations return costs: %s', (_, cost) => {
    const range = { low: 1, high: 1_000_000, maxEvaluations: 84 };
    const requested: number[] = [];
    const known = firstOver((size) => {
      requested.push(size);
      return cost(size) / 1_000_000;
    }, range);
    const exact = firstOver((size) => cost(size) > 1_000_000, range);
    expect(known).toMatchObject({ kind: 'found', size: exact.kind === 'found' ? exact.size : undefined });
    expect(new Set(requested).size).toBe(requested.length);
    process.stdout.write(`${_}: ${known.evaluations} of ${exact.evaluations}\n`);
  });

  it('is the same if the evaluations are asynchronous', async () => {
    const range = { low: 1, high: 5000, maxEvaluations: 30 };
    expect(await firstOverLater((size) => Promise.resolve(size >= 777), range)).toEqual(firstOver(from(777), range));
  });
});
