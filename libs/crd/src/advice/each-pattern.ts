import type { AdvisedNode, AdvisedRule, AdviceKind } from './advice.ts';
import { matchedPatterns } from './matched-patterns.ts';
import type { SchemaProps } from '../schema/schema-props.ts';

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
