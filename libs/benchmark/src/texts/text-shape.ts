import { BEGIN_LINE, BEGIN_TEXT, END_LINE, END_TEXT } from '#go';
import type { PatternAtom, PatternNode } from '#go';
import { choicesOf } from './slot-choices.ts';

/**
 * Description of a set of texts by a tree: single characters (`slot`), sequences, choices and repetitions. `least` and `most` are the
 * lengths of the shortest and the longest text in code points. `most` is Infinity if there is no limit.
 */
export type TextShape = { readonly least: number; readonly most: number } & (
  | { readonly kind: 'slot'; readonly choices: readonly string[] }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly TextShape[] }
  /** `times` is the minimum and the maximum number of rounds. */
  | { readonly kind: 'repetition'; readonly part: TextShape; readonly times: readonly [number, number] }
);

/**
 * Anchors that a match uses: `begin` for the beginning and `end` for the end of the text. At an end without an anchor, the text may have
 * additional characters.
 */
export interface Anchoring {
  readonly begin: boolean;
  readonly end: boolean;
}

const BEGIN = BEGIN_TEXT | BEGIN_LINE;
const END = END_TEXT | END_LINE;

/** Returns a {@link TextShape} (description of a set of texts) for texts of a single character. The character is one of `choices`. */
export function slot(choices: readonly string[]): TextShape {
  return { kind: 'slot', least: 1, most: 1, choices };
}

/** Returns the {@link TextShape} (set of texts) of a concatenation. Each text of the set consists of one text of each part, in order. */
export function textSequence(parts: readonly TextShape[]): TextShape {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const sum = (bound: 'least' | 'most'): number => parts.reduce((total, part) => total + part[bound], 0);
  return { kind: 'sequence', least: sum('least'), most: sum('most'), parts };
}

/** Returns the shape of all texts that any of the parts has. At least one part is required. */
function choice(parts: readonly TextShape[]): TextShape {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const least = Math.min(...parts.map((part) => part.least));
  return { kind: 'choice', least, most: Math.max(...parts.map((part) => part.most)), parts };
}

/**
 * Returns the {@link TextShape} (set of texts) of a repetition. Each text of the set consists of several texts of `part`. `times` contains the
 * minimum and the maximum number of repetitions.
 */
export function repetition(part: TextShape, times: readonly [number, number]): TextShape {
  const most = part.most === 0 || times[1] === 0 ? 0 : part.most * times[1];
  return { kind: 'repetition', least: part.least * times[0], most, part, times };
}

/**
 * Converter of a pattern to shapes. A shape describes the set of texts that match a node of the pattern. Assertions about word boundaries
 * are ignored here.
 */
export class ShapeReader {
  readonly #atoms: ReadonlyMap<string, PatternAtom>;
  readonly #choices = new Map<string, readonly string[]>();

  /** @param atoms Atoms of the pattern, by their texts. */
  constructor(atoms: ReadonlyMap<string, PatternAtom>) {
    this.#atoms = atoms;
  }

  /** Returns true if any atom of the pattern asserts at least one of `assertions`, which are given as bits. */
  asserts(assertions: number): boolean {
    return [...this.#atoms.values()].some((atom) => atom.kind === 'assert' && (atom.assertions & assertions) !== 0);
  }

  /**
   * Returns the shape of the matches of `node` that use only the anchors in `anchoring`. Returns undefined if there are no such matches.
   */
  shapeOf(node: PatternNode, anchoring: Anchoring): TextShape | undefined {
    switch (node.kind) {
      case 'atom':
        return this.#atom(node.text, anchoring);
      case 'group':
        return this.shapeOf(node.part, anchoring);
      case 'concat':
        return this.#concat(node.parts, anchoring);
      case 'alternate': {
        const parts = node.parts.map((part) => this.shapeOf(part, anchoring)).filter((part) => part !== undefined);
        return parts.length === 0 ? undefined : choice(parts);
      }
      case 'repeat': {
        const part = this.shapeOf(node.part, anchoring);
        if (part === undefined) return node.least === 0 ? textSequence([]) : undefined;
        return repetition(part, [node.least, node.most]);
      }
    }
  }

  #atom(text: string, anchoring: Anchoring): TextShape | undefined {
    const atom = this.#atoms.get(text);
    if (atom === undefined) return undefined;
    if (atom.kind === 'assert') {
      const holds = ((atom.assertions & BEGIN) === 0 || anchoring.begin) && ((atom.assertions & END) === 0 || anchoring.end);
      return holds ? textSequence([]) : undefined;
    }
    const choices = this.#choices.get(text) ?? choicesOf(atom.consumer);
    this.#choices.set(text, choices);
    return choices.length === 0 ? undefined : slot(choices);
  }

  /**
   * Returns the shape of a concatenation. Parts before an anchor of the beginning must be empty, and so must parts after an anchor of the
   * end.
   */
  #concat(nodes: readonly PatternNode[], anchoring: Anchoring): TextShape | undefined {
    const first = nodes.findLastIndex((node) => this.#isAnchor(node, BEGIN));
    const end = nodes.findIndex((node) => this.#isAnchor(node, END));
    const parts: TextShape[] = [];
    for (const [i, node] of nodes.entries()) {
      const part = this.shapeOf(node, anchoring);
      if (part === undefined) return undefined;
      if (i >= first && (end < 0 || i <= end)) parts.push(part);
      else if (part.least > 0) return undefined;
    }
    return textSequence(parts);
  }

  #isAnchor(node: PatternNode, assertions: number): boolean {
    if (node.kind === 'group') return this.#isAnchor(node.part, assertions);
    const atom = node.kind === 'atom' ? this.#atoms.get(node.text) : undefined;
    return atom?.kind === 'assert' && (atom.assertions & assertions) !== 0;
  }
}
