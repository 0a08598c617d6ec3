import type { AdvisedNode, AdvisedRule, AdviceKind } from './advice.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { placedNodes } from './value-places.ts';
import { startOf } from './written-shape.ts';

/** Pattern of a schema node, or literal pattern in a rule's call of `matches`. */
export interface WrittenPattern {
  readonly pattern: string;
  /** Maximum length of the texts that the pattern tests; undefined if there is none, or in a rule. */
  readonly maxLength: SchemaProps['maxLength'];
  readonly minMatchLength: AdvisedRule['minMatchLength'];
}

/**
 * Returns the functions of a kind of advice that considers single patterns: the keyword of schema nodes, and literals that rules pass to `matches`.
 * `textOf` returns the text of the advice on a pattern, or undefined if there is none.
 */
export function ofEachPattern(textOf: (written: WrittenPattern) => string | undefined): Required<Pick<AdviceKind, 'ofNode' | 'ofRule'>> {
  return {
    ofNode: ({ schema: { pattern, maxLength }, path, minMatchLength }: AdvisedNode) => {
      const text = pattern === '' ? undefined : textOf({ pattern, maxLength, minMatchLength });
      return text === undefined ? [] : [{ path: path === '' ? 'pattern' : `${path}.pattern`, text }];
    },
    ofRule: (rule) =>
      matchedPatterns(rule).flatMap(({ pattern, offset }) => {
        const text = textOf({ pattern, maxLength: undefined, minMatchLength: rule.minMatchLength });
        return text === undefined ? [] : [{ text, offset }];
      }),
  };
}

/** Pattern that a rule passes to `matches` as a literal. */
interface MatchedPattern {
  readonly pattern: string;
  /** Start of the call in the rule, in code points from 0. */
  readonly offset: number;
}

/** Returns the patterns that a rule passes to `matches` as literals. */
function matchedPatterns({ tree, schema }: Pick<AdvisedRule, 'tree' | 'schema'>): readonly MatchedPattern[] {
  return placedNodes(tree, schema).flatMap(({ node }) => {
    if (node.call !== 'matches') return [];
    const pattern = (node.target === undefined ? node.args[1] : node.args[0])?.expr;
    if (pattern?.kind !== 'constant' || pattern.constant.type !== 'string') return [];
    return [{ pattern: pattern.constant.value, offset: startOf(node) }];
  });
}
