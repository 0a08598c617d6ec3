import { assertsMore, DEAD, LazyAutomaton, MAX_CLASSES, UNKNOWN, unlessOutgrown } from './lazy-automaton.ts';
import type { Closure } from './lazy-automaton.ts';
import { BEGIN_TEXT } from './regex-program.ts';
import type { RegexProgram } from './regex-program.ts';

/**
 * Maximum number of characters that a search may read for each character of the text. If a search exceeds it, the slower general engine
 * takes over, because its time is always linear.
 */
const LOOKS = 8;
/** Number of characters that every search may read in addition to the limit {@link LOOKS}. */
const FREE_LOOKS = 64;

/**
 * Result of a search: a match, `none` if there is no match, or `unknown`. It is `unknown` if the search read too many characters or the
 * automaton exceeded its limits.
 */
export type MatchFinding = MatchSpan | 'none' | 'unknown';

/**
 * Automaton that finds the leftmost match of a pattern. If several matches begin at the same offset, it returns the match that Go prefers,
 * by the order of alternatives in the pattern. Each state lists instructions of the pattern in this order. The search tries one start
 * offset of the text after another, and returns `unknown` if it has read too many characters.
 */
export class MatchFinder extends LazyAutomaton {
  /** Table by state: 1 if a match can end in this state. */
  #matches = new Uint8Array(64);
  readonly #first: number;
  readonly #later: number;

  private constructor(program: RegexProgram) {
    super(program, 1);
    this.#first = this.#stateOf(this.closure([program.start], BEGIN_TEXT));
    this.#later = this.#stateOf(this.closure([program.start], 0));
  }

  /**
   * Returns the finder of a program. Returns undefined if the program has assertions other than the beginning and end of the text, or too
   * many character classes.
   */
  static of(program: RegexProgram): MatchFinder | undefined {
    return assertsMore(program) ? undefined : unlessOutgrown(() => new MatchFinder(program));
  }

  /** True if no match can begin after the start of the text. */
  get isAnchored(): boolean {
    return this.#later === DEAD;
  }

  /** Returns the leftmost match that begins at or after the offset `from`. */
  find(text: string, from: number): MatchFinding {
    return unlessOutgrown(() => this.#find(text, from)) ?? 'unknown';
  }

  #find(text: string, from: number): MatchFinding {
    let looks = LOOKS * (text.length - from) + FREE_LOOKS;
    for (let start = from; start <= text.length; start += lengthAt(text, start)) {
      const state = start === 0 ? this.#first : this.#later;
      if (state === DEAD) {
        if (start > 0) return 'none';
        continue;
      }
      const { end, seen } = this.#longest(text, start, state);
      if (end >= 0) return { start, end };
      looks -= seen - start + 1;
      if (looks < 0) return 'unknown';
    }
    return 'none';
  }

  /**
   * Returns the end of the preferred match that begins at `start`, or -1 if there is no match. Also returns the offset up to which the text
   * was read. `first` is the automaton's state at `start`.
   */
  #longest(text: string, start: number, first: number): { readonly end: number; readonly seen: number } {
    const ascii = this.asciiClass;
    let next = this.next;
    let state = first;
    let end = this.#matches[state] === 1 ? start : -1;
    let i = start;
    while (i < text.length) {
      const unit = text.charCodeAt(i++);
      let kind: number;
      if (unit < 128) kind = ascii[unit]!;
      else {
        const rune = text.codePointAt(i - 1)!;
        if (rune > 0xffff) i++;
        kind = this.otherClassOf(rune);
      }
      let to = next[state * MAX_CLASSES + kind]!;
      if (to === UNKNOWN) {
        to = this.step(state, kind);
        next = this.next;
      }
      if (to === DEAD) return { end, seen: i };
      state = to;
      if (this.#matches[state] === 1) end = i;
    }
    return { end: this.acceptsAtEnd[state] === 1 ? i : end, seen: i };
  }

  protected override stateAfter(seeds: readonly number[]): number {
    return this.#stateOf(this.closure(seeds, 0));
  }

  #stateOf({ positions, matched }: Closure): number {
    if (positions.length === 0 && !matched) return DEAD;
    const state = this.stateOf(positions, matched ? 'match ' : '');
    if (state >= this.#matches.length) {
      const matches = new Uint8Array(this.acceptsAtEnd.length);
      matches.set(this.#matches);
      this.#matches = matches;
    }
    this.#matches[state] = matched ? 1 : 0;
    return state;
  }
}

/** Start and end of a match in a text, in UTF-16 code units. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the texts of non-overlapping matches from left to right. The result has at most `limit` texts, or all if `limit` is negative.
 * `find` returns the leftmost match at or after an offset.
 */
export function textsOfMatches(text: string, limit: number, find: (from: number) => MatchSpan | undefined): string[] {
  const found: string[] = [];
  let previousEnd = -1;
  for (let from = 0; from <= text.length && found.length !== limit;) {
    const span = find(from);
    if (span === undefined) break;
    // Go drops an empty match that touches the previous match.
    if (span.start !== span.end || span.start !== previousEnd) found.push(text.slice(span.start, span.end));
    previousEnd = span.end;
    from = placeAfter(text, span);
  }
  return found;
}

/** Returns the offset at which the search for the next match starts. After an empty match, it is one character after this match. */
function placeAfter(text: string, { start, end }: MatchSpan): number {
  return end > start ? end : end + lengthAt(text, end);
}

/** Returns the number of UTF-16 code units of the character at an offset. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
