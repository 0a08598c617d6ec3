import { describe, expect, it } from 'vitest';
import { matchRules, renamedVersion } from './match-rules.ts';
import type { MatchedRule } from './match-rules.ts';

/** Returns the rules of one version, which are written as `node: text`. Rules of one node have indexes in their order. */
function rulesOf(version: string, ...written: string[]): MatchedRule[] {
  const counts = new Map<string, number>();
  return written.map((one) => {
    const [node = '', rule = ''] = one.split(': ');
    const index = counts.get(node) ?? 0;
    counts.set(node, index + 1);
    return { version, path: `properties[${node}].x-kubernetes-validations[${index}]`, rule };
  });
}

/** Returns what became of each rule, as `state node: text ← node: text`, sorted. */
function matched(before: readonly MatchedRule[], after: readonly MatchedRule[], ...renamed: string[]): string[] {
  const shown = (rule: MatchedRule): string => `${/\[(.*?)\]/.exec(rule.path)?.[1]}: ${rule.rule}`;
  const [old, now] = renamed;
  return matchRules(before, after, old !== undefined && now !== undefined ? { before: old, after: now } : undefined)
    .map((match) => [match.state, ...[match.after, match.before].map((rule) => (rule ? shown(rule) : ''))].join(' | '))
    .sort();
}

const one = (...written: string[]): MatchedRule[] => rulesOf('v1', ...written);

describe('rules before and after a change', () => {
  it.each([
    ['one text at one schema node, at any index', one('a: x', 'a: y'), one('a: z1 + z2', 'a: y', 'a: x')],
    ['texts that differ only in white space', one('a: x  + y'), one('a: x+y')],
  ])('are the same: %s', (_, before, after) => {
    expect(matched(before, after).filter((line) => line.startsWith('same'))).toHaveLength(before.length);
  });

  it('are moved if their text is at another schema node, and are paired with the most similar path', () => {
    const at = (path: string): MatchedRule => ({ version: 'v1', path: `${path}.x-kubernetes-validations[0]`, rule: 'x' });
    const before = [at('properties[a].properties[k]'), at('properties[b].properties[k]')];
    const after = [at('properties[b].items.properties[k]'), at('properties[a].items.properties[k]')];
    const pairs = matchRules(before, after).map(({ state, before: was, after: is }) => [state, was?.path[11], is?.path[11]]);
    expect(pairs).toEqual(
      expect.arrayContaining([
        ['moved', 'a', 'a'],
        ['moved', 'b', 'b'],
      ]),
    );
  });

  it('are changed if a similar text is at the same schema node', () => {
    expect(
      matched(one('a: self.x > 1', 'a: size(self.names) < 5'), one('a: size(self.names) < 9', 'a: has(other)', 'a: self.x > 2')),
    ).toEqual([
      'changed | a: self.x > 2 | a: self.x > 1',
      'changed | a: size(self.names) < 9 | a: size(self.names) < 5',
      'new | a: has(other) | ',
    ]);
  });

  it('are changed if the text gets or loses many clauses', () => {
    const long = `x && [${Array.from({ length: 50 }, (_, i) => i).join(', ')}].all(y, y != self.z)`;
    expect(matched(one('a: x'), one(`a: ${long}`))).toEqual([`changed | a: ${long} | a: x`]);
    expect(matched(one(`a: ${long}`), one('a: x'))).toEqual([`changed | a: x | a: ${long}`]);
  });

  it('have no partner if another text replaces them', () => {
    expect(matched(one('a: self.x > 1'), one("a: matches(name, 'b')"))).toEqual([
      'gone |  | a: self.x > 1',
      "new | a: matches(name, 'b') | ",
    ]);
  });

  it('are paired across versions only if the version was renamed', () => {
    expect(matched(rulesOf('v1', 'a: x'), rulesOf('v2', 'a: x'), 'v1', 'v2')).toEqual(['same | a: x | a: x']);
    expect(matched(rulesOf('v1', 'a: x'), [...rulesOf('v1', 'a: x'), ...rulesOf('v2', 'a: x')])).toEqual([
      'new | a: x | ',
      'same | a: x | a: x',
    ]);
    expect(renamedVersion(['v1', 'v2'], ['v2', 'v3'])).toEqual({ before: 'v1', after: 'v3' });
    expect(renamedVersion(['v1'], ['v2', 'v3'])).toBeUndefined();
  });

  it('are paired in the same way in any order, and in less than 5 s for 20,000 equal rules', () => {
    const [before, after] = [one('a: x', 'b: x', 'c: x', 'd: y'), one('b: x', 'd: x', 'e: x', 'd: z')];
    expect(matched(before.toReversed(), after.toReversed())).toEqual(matched(before, after));
    const many = (node: string): MatchedRule[] => one(...Array.from({ length: 20_000 }, () => `${node}: x`));
    const begun = performance.now();
    expect(matchRules(many('a'), many('b')).every(({ state }) => state === 'moved')).toBe(true);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
