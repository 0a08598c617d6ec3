import { describe, expect, it } from 'vitest';
import type { DocumentSlice } from '#documents';
import { runItems } from './run-chunk.ts';
import type { ItemWork } from './run-chunk.ts';

const encoder = new TextEncoder();
const items = (names: string): DocumentSlice[] => [...names].map((name) => ({ bytes: encoder.encode(name), notation: 'json' }));
const nameOf = ({ bytes }: DocumentSlice): string => new TextDecoder().decode(bytes);

/** Returns work over named items. The work breaks the engine whenever the item `x` is among the items that run together. */
function workOf() {
  const attempts: string[] = [];
  const work: ItemWork<string> = {
    run: (run, firstItem, alone) => {
      const names = run.map(nameOf).join('');
      attempts.push(`${firstItem}:${names}${alone ? ' alone' : ''}`);
      return Promise.resolve(names.includes('x') ? { kind: 'broken', breakage: 'host exit' } : { kind: 'done', result: names });
    },
    resultOfFault: (item, index, breakage) => `[${nameOf(item)}@${index} ${breakage}]`,
    join: (first, second) => first + second,
  };
  return { work, attempts };
}

describe('running items of which some (x) break the engine', () => {
  it.each([
    { names: 'ab', result: 'ab', attempts: ['10:ab'] },
    { names: 'x', result: '[x@10 host exit]', attempts: ['10:x'] },
    {
      names: 'abxd',
      result: 'ab[x@12 host exit]d',
      attempts: ['10:abxd', '10:ab alone', '12:xd alone', '12:x alone', '13:d alone'],
    },
    {
      names: 'xax',
      result: '[x@10 host exit]a[x@12 host exit]',
      attempts: ['10:xax', '10:x alone', '11:ax alone', '11:a alone', '12:x alone'],
    },
  ])('tries parts of the chunk alone until only the breaking items fail: $names', async ({ names, result, attempts }) => {
    const run = workOf();
    expect(await runItems(run.work, items(names), 10)).toBe(result);
    expect(run.attempts).toEqual(attempts);
  });
});
