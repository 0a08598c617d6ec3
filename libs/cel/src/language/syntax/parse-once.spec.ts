import { MINORS } from '#kube';
import { describe, expect, it } from 'vitest';
import { environmentFor } from '../kubernetes-environment.ts';
import { parseExpression } from './parser.ts';
import { parseOnce } from './parse-once.ts';

const SYNTAXES = [...new Set(MINORS.flatMap((minor) => (['new', 'stored'] as const).map((use) => environmentFor(minor, use).syntax)))];

/** Texts that have no macro but `has`, no escape and no back-tick. */
const PLAIN = [
  'self.a == 1',
  "!has(self.a) || self.a.b['c'] in ['x', r'y', b'z']",
  'self.?a.orValue(1) + [1, ?self.?b][0] > 2 ? {"k": 1u}.k : -3',
  "self.a.matches('^[a-z]+$') &&\n  self.b.size() <= 1.5e3\n",
  'duration("1h") < self.d // why',
];
/** Texts that some syntaxes read otherwise. */
const OTHERWISE = ["self.all(x, x != '')", 'self.sortBy(x, x)', "self.a == '\\n'", 'self.`a-b`', 'map == 1'];

describe('texts parsed once', () => {
  it('are one tree in all syntaxes that read them the same, and the tree that each parses', () => {
    expect(SYNTAXES.length).toBeGreaterThan(4);
    for (const text of PLAIN) {
      const trees = SYNTAXES.map((syntax) => parseOnce(text, syntax));
      expect(new Set(trees).size, text).toBe(1);
      for (const syntax of SYNTAXES) expect(parseExpression(text, syntax)).toEqual(trees[0]);
    }
  });

  it.each(OTHERWISE)('%s is parsed by each', (text) => {
    const trees = SYNTAXES.map((syntax) => parseOnce(text, syntax));
    expect(new Set(trees).size).toBe(SYNTAXES.length);
    for (const [i, syntax] of SYNTAXES.entries()) {
      const [ours, alone] = [trees[i], parseExpression(text, syntax)];
      expect(ours?.ok === true ? ours.expression : ours?.issues.toString()).toEqual(alone.ok ? alone.expression : alone.issues.toString());
    }
  });

  it('counts the name of each macro but has', () => {
    for (const syntax of SYNTAXES)
      for (const key of syntax.macros.keys()) {
        const name = key.split(':')[0] as string;
        const text = `self.${name} == 1`;
        expect(new Set(SYNTAXES.map((one) => parseOnce(text, one))).size, name).toBe(name === 'has' ? 1 : SYNTAXES.length);
      }
  });
});
