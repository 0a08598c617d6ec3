import type { AdvisedRule } from './advice.ts';
import { placedNodes } from './value-places.ts';
import { startOf } from './written-shape.ts';

/** Pattern that a rule passes to `matches` as a literal. */
export interface MatchedPattern {
  readonly pattern: string;
  /** Start of the call in the rule, in code points from 0. */
  readonly offset: number;
}

/** Returns the patterns that a rule passes to `matches` as literals. */
export function matchedPatterns({ tree, schema }: Pick<AdvisedRule, 'tree' | 'schema'>): readonly MatchedPattern[] {
  return placedNodes(tree, schema).flatMap(({ node }) => {
    if (node.call !== 'matches') return [];
    const pattern = (node.target === undefined ? node.args[1] : node.args[0])?.expr;
    if (pattern?.kind !== 'constant' || pattern.constant.type !== 'string') return [];
    return [{ pattern: pattern.constant.value, offset: startOf(node) }];
  });
}
