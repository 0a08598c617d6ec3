import { assertsMore, DEAD, LazyAutomaton, MAX_CLASSES, UNKNOWN, unlessOutgrown } from './lazy-automaton.ts';
import type { Closure } from './lazy-automaton.ts';
import { BEGIN_TEXT, END_TEXT } from './regex-program.ts';
import type { RegexProgram } from './regex-program.ts';

/** Number of the state in which the pattern has matched. */
const ACCEPT = 1;

/** Automaton that tests if a pattern matches anywhere in a text, with one table look-up per character. */
export class LazyDfa extends LazyAutomaton {
  readonly #emptyMatches: boolean;
  readonly #start: number;

  private constructor(program: RegexProgram) {
    super(program, 2);
    this.acceptsAtEnd[ACCEPT] = 1;
    this.#emptyMatches = this.closure([program.start], BEGIN_TEXT | END_TEXT).matched;
    this.#start = this.#stateOf(this.closure([program.start], BEGIN_TEXT));
  }

  /**
   * Returns the automaton of a program. Returns undefined if the program has assertions other than the beginning and end of the text, or
   * too many character classes.
   */
  static of(program: RegexProgram): LazyDfa | undefined {
    return assertsMore(program) ? undefined : unlessOutgrown(() => new LazyDfa(program));
  }

  /** Returns true if the pattern matches anywhere in the text. Returns undefined if the automaton exceeded its limits. */
  test(text: string): boolean | undefined {
    if (text.length === 0) return this.#emptyMatches;
    return unlessOutgrown(() => this.#run(text));
  }

  /**
   * Returns the same result as {@link test} for the ASCII text in `bytes` between the offsets `from` and `to` (exclusive). Undefined if the
   * automaton has become too large.
   */
  testBytes(bytes: Uint8Array, from: number, to: number): boolean | undefined {
    if (from === to) return this.#emptyMatches;
    return unlessOutgrown(() => this.#runBytes(bytes, from, to));
  }

  #runBytes(bytes: Uint8Array, from: number, to: number): boolean {
    const ascii = this.asciiClass;
    let next = this.next;
    let state = this.#start;
    if (state <= ACCEPT) return state === ACCEPT;
    for (let i = from; i < to; i++) {
      const kind = ascii[bytes[i]!]!;
      let then = next[state * MAX_CLASSES + kind]!;
      if (then <= ACCEPT) {
        if (then === UNKNOWN) {
          then = this.step(state, kind);
          next = this.next;
        }
        if (then <= ACCEPT) return then === ACCEPT;
      }
      state = then;
    }
    return this.acceptsAtEnd[state] === 1;
  }

  #run(text: string): boolean {
    const ascii = this.asciiClass;
    let next = this.next;
    let state = this.#start;
    if (state <= ACCEPT) return state === ACCEPT;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      let kind: number;
      if (unit < 128) kind = ascii[unit]!;
      else {
        const rune = text.codePointAt(i)!;
        if (rune > 0xffff) i++;
        kind = this.otherClassOf(rune);
      }
      let to = next[state * MAX_CLASSES + kind]!;
      if (to <= ACCEPT) {
        if (to === UNKNOWN) {
          to = this.step(state, kind);
          next = this.next;
        }
        if (to <= ACCEPT) return to === ACCEPT;
      }
      state = to;
    }
    return this.acceptsAtEnd[state] === 1;
  }

  /**
   * Returns the state for the positions after a character. It adds the start of the pattern to these positions, because a match can begin
   * at any character.
   */
  protected override stateAfter(seeds: readonly number[]): number {
    return this.#stateOf(this.closure([...seeds, this.program.start], 0));
  }

  /** Returns the state of a closure. The order of positions is ignored, because it does not influence whether a text matches. */
  #stateOf({ positions, matched }: Closure): number {
    if (matched) return ACCEPT;
    return positions.length === 0 ? DEAD : this.stateOf(positions.toSorted((a, b) => a - b));
  }
}
