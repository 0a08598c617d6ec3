import { ruleTokens } from '#kube';

/** Fields of a rule by which it is found again in another state of its definition. */
export interface MatchedRule {
  readonly version: string;
  /** Path relative to openAPIV3Schema: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly rule: string;
}

/**
 * Effect of a change of a definition on a rule.
 *
 * - `same`: the text is at the same schema node, at any index. White space outside of strings and comments do not count.
 * - `moved`: the text is at another node of the same version.
 * - `changed`: another, similar text is at the same node. A text that contains the whole other text is similar.
 * - `new`: no rule of the older state is its partner.
 * - `gone`: no rule of the newer state is its partner.
 */
export type RuleState = 'same' | 'moved' | 'changed' | 'new' | 'gone';

/** Rule of the newer state with its partner in the older state. A new rule has no partner, and a rule that is gone is only in `before`. */
export type RuleMatch<Rule extends MatchedRule> =
  | { readonly state: 'same' | 'moved' | 'changed'; readonly before: Rule; readonly after: Rule }
  | { readonly state: 'new'; readonly before: undefined; readonly after: Rule }
  | { readonly state: 'gone'; readonly before: Rule; readonly after: undefined };

/** Least similarity, from 0 to 1, of two texts at one node that count as one changed rule. */
const SIMILAR = 0.3;
/** Maximum number of pairs that are compared by similarity. More rules with one key are paired in their order. */
const MAX_PAIRS = 10_000;

/**
 * Finds the partner of each rule in the older state of the definition. The first choice is the same text at the same node. The next choices
 * are the same text at another node of the version, and a similar text at the same node. `renamed` is a version that has another name in
 * the newer state. The result does not depend on the order of the rules.
 */
export function matchRules<Rule extends MatchedRule>(
  before: readonly Rule[],
  after: readonly Rule[],
  renamed?: RenamedVersion,
): readonly RuleMatch<Rule>[] {
  const versionAfter = ({ version }: MatchedRule): string => (version === renamed?.before ? renamed.after : version);
  const left = { before: byPlace(before), after: byPlace(after) };
  const tokens = new Map([...before, ...after].map(({ rule }) => [rule, ruleTokens(rule)]));
  const textOf = (rule: string): string => tokens.get(rule) ?? rule;
  const matches: RuleMatch<Rule>[] = [];
  const take = (state: 'same' | 'moved' | 'changed', keyOf: (rule: MatchedRule) => string, likeness?: Likeness): void => {
    const [old, now] = [left.before, left.after].map((rules) =>
      Map.groupBy(rules, (rule) => JSON.stringify([versionAfter(rule), keyOf(rule)])),
    );
    const taken = new Set<Rule>();
    for (const [key, rules] of now ?? [])
      for (const [was, is] of pairsOf(old?.get(key) ?? [], rules, likeness)) {
        matches.push({ state, before: was, after: is });
        taken.add(was).add(is);
      }
    left.before = left.before.filter((rule) => !taken.has(rule));
    left.after = left.after.filter((rule) => !taken.has(rule));
  };
  take('same', ({ path, rule }) => JSON.stringify([path, textOf(rule)]));
  take('same', ({ path, rule }) => JSON.stringify([nodeOf(path), textOf(rule)]));
  take('moved', ({ rule }) => textOf(rule), { of: ({ path }, { path: other }) => sharedSteps(path, other), least: 0 });
  take('changed', ({ path }) => nodeOf(path), {
    of: ({ rule }, { rule: other }) => Math.max(sharedWords(rule, other), isPart(textOf(rule), textOf(other)) ? SIMILAR : 0),
    least: SIMILAR,
  });
  return [
    ...matches,
    ...left.after.map((rule) => ({ state: 'new' as const, before: undefined, after: rule })),
    ...left.before.map((rule) => ({ state: 'gone' as const, before: rule, after: undefined })),
  ];
}

/** Version that has another name in the newer state. */
export interface RenamedVersion {
  readonly before: string;
  readonly after: string;
}

/** Returns the version that has another name in the newer state. Undefined unless exactly one version went, and one came. */
export function renamedVersion(before: readonly string[], after: readonly string[]): RenamedVersion | undefined {
  const [gone, ...moreGone] = before.filter((version) => !after.includes(version));
  const [added, ...moreAdded] = after.filter((version) => !before.includes(version));
  if (gone === undefined || added === undefined || moreGone.length + moreAdded.length > 0) return undefined;
  return { before: gone, after: added };
}

/** Returns the path of the schema node of a rule: the path without the index of the rule. */
export const nodeOf = (path: string): string => path.replace(/\.?x-kubernetes-validations\[\d+\]$/, '');

const indexOf = (path: string): number => Number(/\[(\d+)\]$/.exec(path)?.[1] ?? 0);

/** Returns rules sorted by version, node and index. */
function byPlace<Rule extends MatchedRule>(rules: readonly Rule[]): Rule[] {
  return rules
    .map((rule) => ({ rule, key: `${rule.version} ${nodeOf(rule.path)}`, index: indexOf(rule.path) }))
    .sort((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -1 : 1))
    .map(({ rule }) => rule);
}

/** Measure of the likeness of two rules, from 0 to 1, and the least value of a pair. */
interface Likeness {
  readonly of: (a: MatchedRule, b: MatchedRule) => number;
  readonly least: number;
}

/** Returns pairs of rules with one key: the most alike first, and in their order if they are as much alike, or too many. */
function pairsOf<Rule extends MatchedRule>(before: readonly Rule[], after: readonly Rule[], likeness?: Likeness): [Rule, Rule][] {
  const isOrdered = likeness === undefined || before.length * after.length > MAX_PAIRS;
  if (isOrdered)
    return before.flatMap((was, i): [Rule, Rule][] => {
      const is = after[i];
      return is === undefined ? [] : [[was, is]];
    });
  const scored = before.flatMap((was, i) => after.map((is, j) => ({ was, is, alike: likeness.of(was, is), apart: Math.abs(i - j) })));
  const taken = new Set<Rule>();
  return scored
    .filter(({ alike }) => alike >= likeness.least)
    .sort((a, b) => b.alike - a.alike || a.apart - b.apart)
    .flatMap(({ was, is }): [Rule, Rule][] => {
      if (taken.has(was) || taken.has(is)) return [];
      taken.add(was).add(is);
      return [[was, is]];
    });
}

/** Returns the share of equal steps at the beginning and at the end of two paths. */
export function sharedSteps(a: string, b: string): number {
  const [first, second] = [a.split(/[./]/), b.split(/[./]/)];
  const [most, least] = [Math.max(first.length, second.length), Math.min(first.length, second.length)];
  let [head, tail] = [0, 0];
  while (head < least && first[head] === second[head]) head++;
  while (tail < least - head && first.at(-1 - tail) === second.at(-1 - tail)) tail++;
  return (head + tail) / most;
}

/** Returns true if the tokens of one of two texts, one in each line, contain all tokens of the other text in one piece. */
function isPart(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return `\n${longer}\n`.includes(`\n${shorter}\n`);
}

/** Returns the number of words that two texts have in common, divided by the number of words of both. */
function sharedWords(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => text.match(/\w+|\S/g) ?? []);
  const counts = new Map<string, number>();
  for (const word of first ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second ?? []) {
    const left = counts.get(word) ?? 0;
    if (left > 0) common++;
    counts.set(word, left - 1);
  }
  return common / Math.max(1, (first?.length ?? 0) + (second?.length ?? 0) - common);
}
