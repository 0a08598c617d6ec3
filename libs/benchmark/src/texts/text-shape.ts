import { BEGIN_LINE, BEGIN_TEXT, END_LINE, END_TEXT } from '#go';
import type { PatternAtom, PatternNode, Consumer } from '#go';

/** Maximum number of characters beyond ASCII that are collected. */
const ENOUGH_BEYOND_ASCII = 64;
const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** All printable characters of ASCII: first letters and digits, then all others. */
const PRINTABLE: readonly string[] = [...LETTERS_AND_DIGITS, ...'-_.~/:+@=,;!*()&%$#?^|<>{}[]`\'"\\ '];
const CONTROLS: readonly string[] = ['\t', '\n', '\r', ...characters(1, 31), '\u007f'];

/** Characters for generated texts. They fill the text before and after a match if the pattern is not anchored there. */
export const FILLERS: readonly string[] = [...LETTERS_AND_DIGITS];

/**
 * Returns characters that `consumer` matches: the matching printable characters of ASCII. If there are none, returns the matching control
 * characters of ASCII. If there are none either, returns up to 64 matching characters beyond ASCII, or an empty list.
 */
function choicesOf(consumer: Consumer): readonly string[] {
  const takes = (character: string): boolean => consumer.matchRune(character.codePointAt(0) as number);
  const printable = PRINTABLE.filter(takes);
  if (printable.length > 0) return printable;
  const controls = CONTROLS.filter(takes);
  if (controls.length > 0) return [...new Set(controls)];
  const others = othersOf(consumer);
  return others.length > 0 || !consumer.matchRune(0) ? others : ['\0'];
}

function othersOf(consumer: Consumer): string[] {
  const found: string[] = [];
  // Control characters of Latin-1 come last, because most programs do not display them.
  for (const [first, last] of [
    [0xa0, FIRST_SURROGATE - 1],
    [LAST_SURROGATE + 1, LAST_CODE_POINT],
    [0x80, 0x9f],
  ] as const) {
    for (let rune = first; rune <= last; rune++) {
      if (!consumer.matchRune(rune)) continue;
      found.push(String.fromCodePoint(rune));
      if (found.length === ENOUGH_BEYOND_ASCII) return found;
    }
    if (found.length > 0) return found;
  }
  return found;
}

function characters(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
}

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

/** Returns the {@link Shape} of a concatenation. Each text of the set consists of one text of each part, in order. */
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
 * Returns the {@link Shape} of a repetition. Each text of the set consists of several texts of `part`. `times` contains the minimum and the
 * maximum number of repetitions.
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
   * end. Undefined if a part cannot be empty there, or has no shape.
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
