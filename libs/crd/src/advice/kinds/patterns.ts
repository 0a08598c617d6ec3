import { readPattern } from '#go';
import type { PatternNode } from '#go';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdvisedNode, AdvisedRule, AdviceKind } from '../advice.ts';
import { placedNodes, startOf } from '../written-nodes.ts';

/** Pattern of a schema node, or literal pattern in a rule's call of `matches`. */
interface WrittenPattern {
  readonly pattern: string;
  /** Maximum length of the texts that the pattern tests; undefined if there is none, or in a rule. */
  readonly maxLength: SchemaProps['maxLength'];
  readonly minMatchLength: AdvisedRule['minMatchLength'];
}

/**
 * Returns the functions of a kind of advice that considers single patterns: the keyword of schema nodes, and literals that rules pass to `matches`.
 * `textOf` returns the text of the advice on a pattern, or undefined if there is none.
 */
function ofEachPattern(textOf: (written: WrittenPattern) => string | undefined): Required<Pick<AdviceKind, 'ofNode' | 'ofRule'>> {
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

/** Advice on patterns that contain the quotes in which their author wrote them. */
export const quotedPattern: AdviceKind = {
  id: 'quoted-pattern',
  title: 'A pattern does not contain the quotes around it',
  doc: `If a pattern is quoted twice, such as \`pattern: "'^[a-z]+$'"\`, the inner quotes are characters of the pattern. Then only texts with these quotes can match. If \`^\` follows the
quote, no text matches at all. This happens if a generator, a template or a comment marker writes a quoted pattern in quotes. Assay gives this advice if a pattern begins and ends with
the same kind of quotes.`,
  example: {
    before: `
properties:
  name: {type: string, maxLength: 63, pattern: "'^[a-z]+$'"}`,
    after: `
properties:
  name: {type: string, maxLength: 63, pattern: '^[a-z]+$'}`,
  },
  ...ofEachPattern(({ pattern }) => {
    const quote = quoteOf(pattern);
    if (quote === undefined) return undefined;
    return `The quotes ${quote} at both ends are characters of this pattern, so only texts that contain them can match. Write the pattern in one pair of quotes.`;
  }),
};

/** Returns the quote that a pattern asks for at its beginning and its end, or undefined. */
function quoteOf(pattern: string): string | undefined {
  const quote = pattern.charAt(0);
  if (!QUOTES.has(quote) || pattern.length < 3 || !pattern.endsWith(quote)) return undefined;
  const tree = readPattern(pattern);
  // A pattern with alternatives (`'a|b'`) may match a text without quotes at both ends.
  if (tree?.kind !== 'concat') return undefined;
  const ends = [tree.parts.at(0), tree.parts.at(-1)];
  return ends.every((part) => part?.kind === 'atom' && part.text === quote) ? quote : undefined;
}

const QUOTES: ReadonlySet<string> = new Set(["'", '"', '`']);

/** Advice on patterns that no allowed text matches. */
export const impossiblePattern: AdviceKind = {
  id: 'impossible-pattern',
  title: 'Each pattern matches at least one text',
  doc: `A pattern such as \`a^b\` matches no text, because \`^\` is only true at the beginning of a text. The same is true of a pattern between slashes, such as \`/^[a-z]+$/\`, because in Go
the slashes are characters of the pattern. If the shortest match of a pattern is longer than \`maxLength\`, no text satisfies both. A server accepts such definitions, and then rejects
every value. Assay computes this from the automaton of the pattern.`,
  example: {
    before: `
properties:
  name: {type: string, maxLength: 63, pattern: '/^[a-z]+$/'}`,
    after: `
properties:
  name: {type: string, maxLength: 63, pattern: '^[a-z]+$'}`,
  },
  ...ofEachPattern((written) => (quoteOf(written.pattern) === undefined ? whyImpossible(written) : undefined)),
};

function whyImpossible({ pattern, minMatchLength, maxLength }: WrittenPattern): string | undefined {
  const least = minMatchLength(pattern);
  if (least === undefined) return undefined;
  if (least === Infinity) {
    const isBetweenSlashes = pattern.length > 2 && pattern.startsWith('/') && /\/[a-z]*$/.test(pattern);
    const remedy = isBetweenSlashes ? ' The slashes are characters of the pattern: leave them out.' : '';
    return `No text matches this pattern. It asks for characters before the beginning or after the end of the text, or for a character that does not exist.${remedy}`;
  }
  if (maxLength === undefined || least <= Number(maxLength)) return undefined;
  return `Texts that match this pattern have at least ${least} characters, but maxLength allows only ${maxLength}: no text satisfies both.`;
}

/** Ends of a pattern that have a repetition without effect, because the pattern has no anchor there. */
interface OpenEnds {
  readonly beginning: boolean;
  readonly end: boolean;
}

/**
 * Returns the ends at which a pattern begins or ends with a repetition that changes nothing. Without an anchor, `[a-z]+` matches the same
 * texts as `[a-z]`. So the repetition shows that its author had the whole text in mind. Repetitions of a dot are left
 * out, because they say openly that anything may follow.
 */
function openEnds(pattern: string): OpenEnds {
  const tree = readPattern(pattern);
  if (tree === undefined) return { beginning: false, end: false };
  return { beginning: isOpen(tree, 0), end: isOpen(tree, -1) };
}

/** Tests the first part of a pattern (`side` 0) or its last part (`side` -1). */
function isOpen(node: PatternNode, side: 0 | -1): boolean {
  switch (node.kind) {
    case 'atom':
      return false;
    case 'group':
      return isOpen(node.part, side);
    case 'alternate':
      return node.parts.some((part) => isOpen(part, side));
    case 'concat': {
      const part = node.parts.at(side);
      return part !== undefined && isOpen(part, side);
    }
    case 'repeat':
      if (isAnything(node.part)) return false;
      return node.most > node.least || (node.most === 1 && isOpen(node.part, side));
  }
}

/** Classes that accept every character. */
const EVERY: ReadonlySet<string> = new Set(['.', '(?s).', '[\\s\\S]', '[\\S\\s]', '[\\w\\W]', '[\\W\\w]', '[\\d\\D]', '[\\D\\d]']);

/** Returns true for a part that accepts every character, such as a dot, and for a group or repetition of such a part. */
function isAnything(node: PatternNode): boolean {
  if (node.kind === 'atom') return EVERY.has(node.text);
  if (node.kind === 'alternate') return node.parts.some(isAnything);
  return (node.kind === 'group' || node.kind === 'repeat') && isAnything(node.part);
}

/** Advice on patterns that begin or end with a repetition but have no anchor there. */
export const unanchoredPattern: AdviceKind = {
  id: 'unanchored-pattern',
  title: 'A pattern that begins or ends with a repetition has an anchor there',
  doc: `A pattern may match any part of a text. So \`[a-z]{1,63}\` accepts every text with at least one small letter, of any length: without anchors, the repetition changes nothing. Write
\`^[a-z]{1,63}$\` for the whole text. In \`^a|b+$\`, each anchor belongs to one alternative only: write \`^(?:a|b+)$\`. Assay gives this advice only if a repetition at the beginning or the end of a pattern has no effect because the anchor is missing. It does not give
this advice for a pattern such as \`^https://\`, or if the repetition accepts all characters, such as \`.*\`.`,
  example: {
    before: `
properties:
  name: {type: string, maxLength: 63, pattern: '[a-z]+'}`,
    after: `
properties:
  name: {type: string, maxLength: 63, pattern: '^[a-z]+$'}`,
  },
  ...ofEachPattern(({ pattern }) => {
    const { beginning, end } = openEnds(pattern);
    if (!beginning && !end) return undefined;
    const [where, anchors] =
      beginning && end ? ['the beginning and the end', '^ and $'] : beginning ? ['the beginning', '^'] : ['the end', '$'];
    // An anchor before alternatives applies only to the first alternative.
    const remedy = pattern.includes('|') ? 'put the whole pattern between ^(?: and )$' : `write it with ${anchors}`;
    return `This pattern may match a part of the text, so the repetition at ${where} changes nothing. For the whole text, ${remedy}.`;
  }),
};
