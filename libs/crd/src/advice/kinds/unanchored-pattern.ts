import type { AdviceKind } from '../advice.ts';
import { ofEachPattern } from '../each-pattern.ts';
import { readPattern } from '#go';
import type { PatternNode } from '#go';

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
