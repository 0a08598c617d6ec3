import { patternAtoms } from './pattern-atoms.ts';
import type { PatternAtom } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import type { PatternNode } from './pattern-tree.ts';
import { BEGIN_TEXT, END_TEXT } from './regex-program.ts';

/** Maximum length of a pattern that is read, in UTF-16 code units. */
const MAX_PATTERN = 4000;

/**
 * Returns how long a text can be at most, in code points, if it contains a match of a pattern, as the keyword `pattern` requires. The result
 * is an upper bound: the longest text may be shorter. Returns Infinity if there is no upper bound, for example because the pattern lacks `^`
 * or `$`. Also returns Infinity for a pattern that is invalid, very long, or has syntax that the reader does not know.
 */
export function maxTextLength(pattern: string): number {
  if (pattern.length > MAX_PATTERN) return Infinity;
  const tree = readPattern(pattern);
  const atoms = tree && patternAtoms(tree);
  if (tree === undefined || atoms === undefined) return Infinity;
  const { longest, begins, ends } = spanOf(tree, atoms);
  return begins && ends ? longest : Infinity;
}

/** Longest match of a part of a pattern, and whether each match begins at the start of the text, and ends at its end. */
interface Span {
  readonly longest: number;
  readonly begins: boolean;
  readonly ends: boolean;
}

function spanOf(node: PatternNode, atoms: ReadonlyMap<string, PatternAtom>): Span {
  switch (node.kind) {
    case 'atom': {
      const atom = atoms.get(node.text);
      if (atom?.kind !== 'assert') return { longest: 1, begins: false, ends: false };
      return { longest: 0, begins: (atom.assertions & BEGIN_TEXT) !== 0, ends: (atom.assertions & END_TEXT) !== 0 };
    }
    case 'group':
      return spanOf(node.part, atoms);
    case 'repeat': {
      const { longest, begins, ends } = spanOf(node.part, atoms);
      const isSure = node.least > 0;
      return { longest: longest === 0 || node.most === 0 ? 0 : longest * node.most, begins: begins && isSure, ends: ends && isSure };
    }
    case 'alternate': {
      const spans = node.parts.map((part) => spanOf(part, atoms));
      return {
        longest: Math.max(...spans.map(({ longest }) => longest)),
        begins: spans.every(({ begins }) => begins),
        ends: spans.every(({ ends }) => ends),
      };
    }
    case 'concat': {
      const spans = node.parts.map((part) => spanOf(part, atoms));
      return {
        longest: spans.reduce((sum, { longest }) => sum + longest, 0),
        begins: isAnchored(spans, ({ begins }) => begins),
        ends: isAnchored(spans.toReversed(), ({ ends }) => ends),
      };
    }
  }
}

/** Returns true if an assertion about the edge of the text applies to a sequence of parts: only empty parts may precede it. */
function isAnchored(spans: readonly Span[], asserts: (span: Span) => boolean): boolean {
  const first = spans.findIndex((span) => asserts(span) || span.longest > 0);
  const span = spans[first];
  return span !== undefined && asserts(span);
}
