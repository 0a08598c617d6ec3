import { ALT, BEGIN_TEXT, CONSUME, EMPTY_WIDTH, END_TEXT, FAIL, MATCH, NOP } from './regex-program.ts';
import type { RegexProgram } from './regex-program.ts';

/**
 * Maximum number of states of an automaton, because each state uses memory. The general engine handles a pattern that needs more states or
 * character classes.
 */
const MAX_STATES = 1000;
/**
 * Maximum number of character classes of an automaton for a regular expression. It is also the number of columns in the automaton's table
 * of next states.
 */
export const MAX_CLASSES = 64;
/**
 * Maximum number of positions in all states together. A state contains every position in the program that is possible after the same text.
 */
const MAX_POSITIONS = 500_000;

/** Value in the table of next states for a transition that is not computed yet. */
export const UNKNOWN = -1;
/** State from which no match is possible. */
export const DEAD = 0;

/** Internal exception that is thrown if the automaton exceeds its limits. */
class OutgrownError extends Error {}

/**
 * Positions in a compiled regex at which matching can continue after a character, the most preferred position first. Positions that are
 * less preferred than a match are left out.
 */
export interface Closure {
  readonly positions: readonly number[];
  readonly matched: boolean;
}

/**
 * Automaton for a compiled regex. Each state is a list of positions in the regex program, and is created when a text first needs it. Each
 * character belongs to a character class, and the program treats all characters of a class alike. Subclasses of this TypeScript class
 * determine the states.
 */
export abstract class LazyAutomaton {
  protected readonly program: RegexProgram;
  protected readonly asciiClass = new Uint8Array(128);
  /** Table of next states. The index is state × {@link MAX_CLASSES} + class. */
  protected next = new Int32Array(64 * MAX_CLASSES).fill(UNKNOWN);
  /** Table by state: 1 if the pattern matches when the text ends in this state. */
  protected acceptsAtEnd = new Uint8Array(64);
  readonly #classByKey = new Map<string, number>();
  /** Representative of each character class: a character in the class. */
  readonly #representatives: number[] = [];
  readonly #otherClass = new Map<number, number>();
  readonly #stateByKey = new Map<string, number>();
  readonly #positions: (readonly number[])[] = [];
  #positionCount = 0;

  /** @param reserved number of states without positions: the dead state, and special states of the subclass */
  protected constructor(program: RegexProgram, reserved: number) {
    this.program = program;
    for (let rune = 0; rune < 128; rune++) this.asciiClass[rune] = this.#classOf(rune);
    for (let state = 0; state < reserved; state++) this.#positions.push([]);
  }

  /**
   * Returns the state for the positions that are reached after a character. `seeds` are the program positions directly after the
   * instructions that consumed it.
   */
  protected abstract stateAfter(seeds: readonly number[]): number;

  /** Computes the state that follows `state` after a character of the class `kind`, and stores it in the table of next states. */
  protected step(state: number, kind: number): number {
    const rune = this.#representatives[kind] ?? 0;
    const { ops, outs, args, consumers } = this.program;
    const taking = consumers.map((consumer) => consumer.matchRune(rune));
    const seeds: number[] = [];
    for (const position of this.#positions[state] ?? [])
      if (ops[position] === CONSUME && taking[args[position]!]!) seeds.push(outs[position]!);
    const to = this.stateAfter(seeds);
    this.next[state * MAX_CLASSES + kind] = to;
    return to;
  }

  /**
   * Returns the state for a list of positions. The state is created when it is first requested. `mark` distinguishes states with equal
   * positions, for example after a match. Throws {@link OutgrownError} if there are too many states or positions.
   */
  protected stateOf(positions: readonly number[], mark = ''): number {
    const key = mark + positions.join();
    const known = this.#stateByKey.get(key);
    if (known !== undefined) return known;
    const state = this.#positions.length;
    this.#positionCount += positions.length;
    if (state >= MAX_STATES || this.#positionCount > MAX_POSITIONS) throw new OutgrownError();
    this.#positions.push(positions);
    this.#stateByKey.set(key, state);
    if (state >= this.acceptsAtEnd.length) this.#grow();
    this.acceptsAtEnd[state] = this.closure(positions, END_TEXT).matched ? 1 : 0;
    return state;
  }

  /**
   * Returns all positions that are reachable from `seeds` without consuming a character. `holding` has the assertions that are true here,
   * as bits. An assertion that later text can still make true, such as the end of the text, remains in the result.
   */
  protected closure(seeds: readonly number[], holding: number): Closure {
    const { ops, outs, args } = this.program;
    const seen = new Set<number>();
    const positions: number[] = [];
    const open = [...seeds].reverse();
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      if (seen.has(position)) continue;
      seen.add(position);
      const op = ops[position]!;
      const out = outs[position]!;
      const arg = args[position]!;
      if (op === ALT) open.push(arg, out);
      else if (op === NOP) open.push(out);
      else if (op === MATCH) return { positions, matched: true };
      else if (op === EMPTY_WIDTH) {
        if ((arg & ~holding) === 0) open.push(out);
        else if ((arg & ~holding & BEGIN_TEXT) === 0) positions.push(position);
      } else if (op !== FAIL) positions.push(position);
    }
    return { positions, matched: false };
  }

  /** Returns the class of a non-ASCII character. */
  protected otherClassOf(rune: number): number {
    const known = this.#otherClass.get(rune);
    if (known !== undefined) return known;
    const kind = this.#classOf(rune);
    if (this.#otherClass.size > 4096) this.#otherClass.clear();
    this.#otherClass.set(rune, kind);
    return kind;
  }

  #grow(): void {
    const accepts = new Uint8Array(this.acceptsAtEnd.length * 2);
    accepts.set(this.acceptsAtEnd);
    this.acceptsAtEnd = accepts;
    const next = new Int32Array(this.next.length * 2).fill(UNKNOWN);
    next.set(this.next);
    this.next = next;
  }

  /** Returns the class of a character. Two characters are in the same class if the same consumers accept them. */
  #classOf(rune: number): number {
    const key = this.program.consumers.map((consumer) => (consumer.matchRune(rune) ? '1' : '0')).join('');
    const known = this.#classByKey.get(key);
    if (known !== undefined) return known;
    const kind = this.#representatives.length;
    if (kind >= MAX_CLASSES) throw new OutgrownError();
    this.#representatives.push(rune);
    this.#classByKey.set(key, kind);
    return kind;
  }
}

/**
 * Returns the result of `run`, a function that uses a regex automaton. Returns undefined if the automaton exceeded its limits during `run`.
 */
export function unlessOutgrown<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof OutgrownError) return undefined;
    throw error;
  }
}

/**
 * Returns true if a program has assertions other than the beginning and the end of the text. An automaton cannot evaluate them, because it
 * does not store the characters around a position.
 */
export function assertsMore({ ops, args }: RegexProgram): boolean {
  return ops.some((op, position) => op === EMPTY_WIDTH && (args[position]! & ~(BEGIN_TEXT | END_TEXT)) !== 0);
}
