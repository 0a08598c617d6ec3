import { expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { indexOfText, lastIndexOfText, SEARCH_STRETCH, SHORT_PART } from './strings.ts';
import type { Spend } from './strings.ts';

const FREE: Spend = () => undefined;

function stepsOf(search: (spend: Spend) => number): { readonly found: number; readonly steps: number } {
  let steps = 0;
  const found = search((more) => {
    steps += more;
  });
  return { found, steps };
}

it('text search gives the results of indexOf and lastIndexOf in texts full of near matches', () => {
  const random = seededRandom(7);
  const text = (most: number): string => {
    const word = Array.from({ length: 1 + Math.floor(random() * 4) }, () => 'ab😀é'[Math.floor(random() * 5)] ?? 'a').join('');
    const repeated = word.repeat(Math.ceil((random() * most) / word.length));
    const at = Math.floor(random() * repeated.length);
    return random() < 0.5 ? repeated : `${repeated.slice(0, at)}x${repeated.slice(at + 1)}`;
  };
  for (let round = 0; round < 400; round++) {
    const long = round % 40 === 0 ? text(3 * SEARCH_STRETCH) : text(6000);
    const start = Math.floor(random() * long.length);
    const part = random() < 0.3 ? text(200) : long.slice(start, start + Math.floor(random() * random() * 4000));
    const from = Math.floor(random() * (long.length + 2));
    const where = `${long.length} ${part.length} ${from}`;
    expect(indexOfText(long, part, from, FREE), where).toBe(long.indexOf(part, from));
    expect(lastIndexOfText(long, part, from, FREE), where).toBe(long.lastIndexOf(part, from));
  }
});

it.each([
  ['a break in the middle', (half: number) => `${'a'.repeat(half)}b${'a'.repeat(half)}`],
  ['a break at the end', (half: number) => `${'a'.repeat(2 * half)}b`],
  ['a break at the beginning', (half: number) => `b${'a'.repeat(2 * half)}`],
  ['periods of two', (half: number) => `${'ab'.repeat(half)}b${'ab'.repeat(half)}`],
])('text search takes linear time if the searched part is periodic: %s', (_, part) => {
  for (const size of [20_000, 200_000, 1_000_000]) {
    const text = part(2).slice(0, 2).startsWith('ab') ? 'ab'.repeat(size / 2) : 'a'.repeat(size);
    for (const search of [indexOfText, lastIndexOfText]) {
      for (const half of [SHORT_PART, 500, size / 5]) {
        const { found, steps } = stepsOf((spend) => search(text, part(half), search === indexOfText ? 0 : size, spend));
        expect(found).toBe(-1);
        expect(steps, `${size} ${half}`).toBeLessThan(3 * (size + 2 * half) + 10_000);
      }
    }
  }
});

it('text search reports its steps at least once per section, even if the searched part is short', () => {
  for (const search of [indexOfText, lastIndexOfText]) {
    let most = 0;
    search('a'.repeat(1_000_000), 'ab', search === indexOfText ? 0 : 1_000_000, (steps) => {
      most = Math.max(most, steps);
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(SEARCH_STRETCH + SHORT_PART);
  }
});
