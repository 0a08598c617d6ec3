import { MINORS } from '#kube';
import { describe, expect, it } from 'vitest';
import { environmentFor } from '../environment.ts';
import { parseExpression } from './parser.ts';
import { parseOnce } from './parse-once.ts';
import { RandomExpressions } from '../../testing/random-expressions.ts';

const SYNTAXES = [...new Set(MINORS.flatMap((minor) => (['new', 'stored'] as const).map((use) => environmentFor(minor, use).syntax)))];

/** Texts without escapes, back-ticks and macros other than `has`. All syntaxes parse such a text to equal trees. */
const PLAIN = [
  'self.a == 1',
  "!has(self.a) || self.a.b['c'] in ['x', r'y', b'z']",
  'self.?a.orValue(1) + [1, ?self.?b][0] > 2 ? {"k": 1u}.k : -3',
  "self.a.matches('^[a-z]+$') &&\n  self.b.size() <= 1.5e3\n",
  'duration("1h") < self.d // why',
];
/** Texts that some syntaxes parse differently, each with the number of different trees that result. */
const OTHERWISE: readonly (readonly [text: string, trees: number])[] = [
  ["self.all(x, x != '')", 2],
  ["self.filter(x, x != '').size() > 0", 3],
  ["self.exists_one(x, x == '')", 3],
  ['self.optMap(x, x) == self', 2],
  ['self.sortBy(x, x) == self', 2],
  ['self.all(i, x, x > i)', 3],
  ['self.transformList(i, x, x) == []', 3],
];

describe('syntax trees of the cached parser', () => {
  it('are the same object for all syntaxes that read a text in the same way, and equal to uncached trees', () => {
    expect(SYNTAXES.length).toBeGreaterThan(4);
    for (const text of PLAIN) {
      const trees = SYNTAXES.map((syntax) => parseOnce(text, syntax));
      expect(new Set(trees).size, text).toBe(1);
      for (const syntax of SYNTAXES) expect(parseExpression(text, syntax)).toEqual(trees[0]);
    }
  });

  it.each(OTHERWISE)('are different if syntaxes read a text differently: %s has %i trees', (text, count) => {
    const trees = SYNTAXES.map((syntax) => parseOnce(text, syntax));
    expect(new Set(trees).size).toBe(count);
  });

  it('do not depend on which syntax parsed a text first', () => {
    const random = new RandomExpressions(20261123, 'plain');
    const texts = [...OTHERWISE.map(([text]) => text), "self.a == '\\n'", "self.a == '\\uD83D'", 'self.`a-b`', 'map == 1', 'self.a ='];
    for (let i = 0; i < 300; i++) texts.push(random.of('bool', 4));
    for (const [i, text] of texts.entries())
      for (const syntax of i % 2 === 0 ? SYNTAXES : SYNTAXES.toReversed()) {
        const [ours, alone] = [parseOnce(text, syntax), parseExpression(text, syntax)];
        expect(ours.ok ? ours.expression : ours.issues.toString(), text).toEqual(alone.ok ? alone.expression : alone.issues.toString());
      }
  });
});
