import { patternAtoms, readCounted } from './expand-pattern.ts';
import type { PatternAtom } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import type { PatternNode } from './pattern-tree.ts';
import {
  ALT,
  BEGIN_LINE,
  BEGIN_TEXT,
  CONSUME,
  EMPTY_WIDTH,
  END_LINE,
  END_TEXT,
  FAIL,
  MATCH,
  NO_WORD_BOUNDARY,
  NOP,
  WORD_BOUNDARY,
} from './regex-program.ts';
import type { Consumer, RegexProgram } from './regex-program.ts';

/** Maximum number of instructions of a pattern whose least length is computed. */
const MAX_INSTRUCTIONS = 4000;

/**
 * Kinds of neighbours that a position in a text has, for the assertions of a pattern. `EDGE` is the beginning or the end of the text. `SIGN`
 * is any character except a line feed and the characters of a word.
 */
const EDGE = 0;
const LINE_FEED = 1;
const WORD = 2;
const SIGN = 3;
const KINDS = [EDGE, LINE_FEED, WORD, SIGN] as const;
const WORD_RUNES = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'].map((text) => text.charCodeAt(0));

/** Least length of the texts that match a pattern, with the work that its computation took. */
export interface MinMatchLength {
  /**
   * Number of characters, as code points, that every text with a match has at least. Infinity if no text matches. It is a lower bound: the
   * shortest text may be longer if its characters depend on each other.
   */
  readonly length: number;
  /** Number of instructions of the pattern. */
  readonly instructions: number;
}

/**
 * Computes how long a text must be to contain a match of a pattern, and whether any text does. A match may begin and end anywhere in the
 * text, as for the keyword `pattern`. Returns undefined if the pattern is invalid, is too large, or has syntax that the reader does not
 * know.
 *
 * @param most maximum number of instructions of the pattern
 */
export function minMatchLength(pattern: string, most: number = MAX_INSTRUCTIONS): MinMatchLength | undefined {
  const counted = readCounted(pattern, 0);
  if (counted === undefined || counted.size > Math.min(most, MAX_INSTRUCTIONS)) return undefined;
  return { length: new LengthSearch(counted.expand()).shortest(), instructions: counted.size };
}

/**
 * Search for the shortest text, in rounds. The states of a round are reached after the same number of characters. A state is an instruction
 * with the kinds of the characters before and after it.
 */
class LengthSearch {
  readonly #program: RegexProgram;
  readonly #seen: Uint8Array;
  /** Kinds of characters that each consumer accepts, as bits. */
  readonly #accepted: readonly number[];

  constructor(program: RegexProgram) {
    this.#program = program;
    this.#seen = new Uint8Array(program.ops.length * 16);
    this.#accepted = program.consumers.map(acceptedKinds);
  }

  shortest(): number {
    let round = KINDS.map((after) => stateOf(this.#program.start, EDGE, after));
    // A match may also begin after another character of any kind. That character makes the text longer by one, so these states join in
    // round 1.
    const later = [LINE_FEED, WORD, SIGN].flatMap((before) => KINDS.map((after) => stateOf(this.#program.start, before, after)));
    let least = Infinity;
    for (let length = 0; length < least && (round.length > 0 || length <= 1); length++) {
      const next: number[] = [];
      const open = length === 1 ? [...round, ...later] : round;
      for (let state = open.pop(); state !== undefined; state = open.pop()) {
        if (this.#seen[state] === 1) continue;
        this.#seen[state] = 1;
        const end = this.#follow(state, open, next);
        if (end !== undefined) least = Math.min(least, length + end);
      }
      round = next;
    }
    return least;
  }

  /**
   * Adds the states after `state` to `open` if they are reached without a character, and otherwise to `next`. Returns the number of
   * characters after the match if the pattern matches here.
   */
  #follow(state: number, open: number[], next: number[]): number | undefined {
    const { ops, outs, args } = this.#program;
    const position = state >> 4;
    const before = (state >> 2) & 3;
    const after = state & 3;
    const out = outs[position] ?? 0;
    const argument = args[position] ?? 0;
    switch (ops[position] ?? FAIL) {
      case MATCH:
        return after === EDGE ? 0 : 1;
      case ALT:
        open.push(stateOf(out, before, after), stateOf(argument, before, after));
        return undefined;
      case NOP:
        open.push(stateOf(out, before, after));
        return undefined;
      case EMPTY_WIDTH:
        if ((argument & ~assertionsBetween(before, after)) === 0) open.push(stateOf(out, before, after));
        return undefined;
      case CONSUME:
        if (((this.#accepted[argument] ?? 0) & (1 << after)) !== 0) next.push(...KINDS.map((kind) => stateOf(out, after, kind)));
        return undefined;
      default:
        return undefined;
    }
  }
}

const stateOf = (position: number, before: number, after: number): number => (position << 4) | (before << 2) | after;

/** Returns the assertions that hold between two characters of these kinds, as bits. */
function assertionsBetween(before: number, after: number): number {
  let holding = (before === WORD) === (after === WORD) ? NO_WORD_BOUNDARY : WORD_BOUNDARY;
  if (before === EDGE) holding |= BEGIN_TEXT | BEGIN_LINE;
  if (after === EDGE) holding |= END_TEXT | END_LINE;
  if (before === LINE_FEED) holding |= BEGIN_LINE;
  if (after === LINE_FEED) holding |= END_LINE;
  return holding;
}

/** Returns the kinds of characters that a consumer accepts, as bits. If its characters are not known, it may accept a sign. */
function acceptedKinds(consumer: Consumer): number {
  const { runes } = consumer;
  if (runes?.length === 0) return 0;
  const line = consumer.matchRune(0x0a) ? 1 << LINE_FEED : 0;
  const word = WORD_RUNES.some((rune) => consumer.matchRune(rune)) ? 1 << WORD : 0;
  return line | word | (1 << SIGN);
}

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
