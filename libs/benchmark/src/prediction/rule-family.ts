import { FUNCTIONS } from '#cel';
import type { CheckedExpression } from '#cel';

type Expr = CheckedExpression['root'];

/**
 * Families of rules for which times are predicted separately, from the most special to the most general. A rule belongs to the first family
 * that matches any part of the rule.
 */
export const RULE_FAMILIES = [
  'patterns',
  'library values',
  'sets',
  'optionals',
  'building of texts',
  'list functions',
  'nested comprehensions',
  'comprehensions over maps',
  'comprehensions over lists',
  'search of texts',
  'membership',
  'fields and operators',
] as const;
export type RuleFamily = (typeof RULE_FAMILIES)[number];

const OF_OVERLOAD: readonly (readonly [RegExp, RuleFamily])[] = [
  [/^matches/, 'patterns'],
  [/^(string_(last_)?index_of_string|contains_string|starts_with|ends_with)/, 'search of texts'],
  [/timestamp|duration/, 'library values'],
  [/^add_string$|_to_string$|^string_to_bytes$/, 'building of texts'],
  [/^in_(list|map)$/, 'membership'],
];
const OF_LIBRARY: readonly (readonly [RegExp, RuleFamily])[] = [
  [/^kubernetes\.regex$/, 'patterns'],
  [/^kubernetes\.lists$|^lists$/, 'list functions'],
  [/^kubernetes\./, 'library values'],
  [/^sets$/, 'sets'],
  [/^optionals$/, 'optionals'],
  [/^strings$/, 'building of texts'],
];

/** Returns the family of {@link RULE_FAMILIES} to which a rule belongs. Times are predicted separately for each family. */
export function ruleFamily(checked: CheckedExpression): RuleFamily {
  const found = new Set<RuleFamily>();
  const libraries = new Map(FUNCTIONS.flatMap(({ library, overloads }) => overloads.map(({ id }) => [id, library] as const)));
  const visit = (node: Expr, loops: number): void => {
    if (node.kind === 'comprehension') {
      found.add(checked.types.get(node.iterRange.id)?.kind === 'map' ? 'comprehensions over maps' : 'comprehensions over lists');
      if (loops > 0) found.add('nested comprehensions');
    }
    const overload = checked.references.get(node.id)?.overloads[0]?.id;
    const family = overload === undefined ? undefined : familyOfCall(overload, libraries.get(overload));
    if (family !== undefined) found.add(family);
    for (const [child, isLooped] of childrenOf(node)) visit(child, loops + (isLooped ? 1 : 0));
  };
  visit(checked.root, 0);
  return RULE_FAMILIES.find((family) => found.has(family)) ?? 'fields and operators';
}

function familyOfCall(overload: string, library = ''): RuleFamily | undefined {
  const own = OF_OVERLOAD.find(([pattern]) => pattern.test(overload));
  return (own ?? OF_LIBRARY.find(([pattern]) => pattern.test(library)))?.[1];
}

/** Returns the direct children of a node. `isLooped` is true if a loop evaluates the child in each iteration. */
export function childrenOf(node: Expr): readonly (readonly [node: Expr, isLooped: boolean])[] {
  const once = (nodes: readonly Expr[]): (readonly [Expr, boolean])[] => nodes.map((child) => [child, false]);
  switch (node.kind) {
    case 'constant':
    case 'ident':
      return [];
    case 'select':
      return once([node.operand]);
    case 'call':
      return once(node.target === undefined ? node.args : [node.target, ...node.args]);
    case 'list':
      return once(node.elements);
    case 'map':
      return once(node.entries.flatMap(({ key, value }) => [key, value]));
    case 'struct':
      return once(node.fields.map(({ value }) => value));
    case 'comprehension':
      return [...once([node.iterRange, node.accuInit, node.result]), [node.loopCondition, true], [node.loopStep, true]];
  }
}
