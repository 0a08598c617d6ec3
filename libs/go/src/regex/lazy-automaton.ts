import { ALT, BEGIN_TEXT, CONSUME, EMPTY_WIDTH, END_TEXT, FAIL, MATCH, NOP } from './regex-program.ts';
import type { RegexProgram } from './regex-program.ts';

/** A pattern that needs more than this is left to the general engine: states cost memory, classes width. */
const MAX_STATES = 1000;
/** Classes of characters, and the width of the table of next states. */
export const MAX_CLASSES = 64;
/** Positions of all states together: each holds as many as the program has ways at a time. */
const MAX_POSITIONS = 500_000;

/** In the table of next states: nobody went there yet. */
export const UNKNOWN = -1;
/** The state from which no match is reached. */
export const DEAD = 0;

/** Thrown inside where the automaton outgrew its limits. */
class OutgrownError extends Error {}

/**
 * The state of a program after a character: its possible positions, the preferred first, up to a match. It leaves out
 * positions that are less preferred than the match.
 */
export interface Closure {
  readonly positions: readonly number[];
  readonly matched: boolean;
}

/**
 * An automaton over the positions of a program. It makes states (lists of positions) when a text first needs them. It
 * maps characters to classes that the program cannot tell apart. Subclasses decide which states exist.
 */
export abstract class LazyAutomaton {
  protected readonly program: RegexProgram;
  protected readonly asciiClass = new Uint8Array(128);
  /** Next state by state × {@link MAX_CLASSES} + class. */
  protected next = new Int32Array(64 * MAX_CLASSES).fill(UNKNOWN);
  /** 1 where a text may end in this state and match. */
  protected acceptsAtEnd = new Uint8Array(64);
  readonly #classByKey = new Map<string, number>();
  /** One character of each class. */
  readonly #representatives: number[] = [];
  readonly #otherClass = new Map<number, number>();
  readonly #stateByKey = new Map<string, number>();
  readonly #positions: (readonly number[])[] = [];
  #positionCount = 0;

  /** @param reserved number of states without positions: the dead state, and further ones of subclasses */
  protected constructor(program: RegexProgram, reserved: number) {
    this.program = program;
    for (let rune = 0; rune < 128; rune++) this.asciiClass[rune] = this.#classOf(rune);
    for (let state = 0; state < reserved; state++) this.#positions.push([]);
  }

  /** The state that follows from positions behind a character. */
  protected abstract stateAfter(seeds: readonly number[]): number;

  /** Finds the next state, and notes it in the table. */
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

  /** The state of some positions; made when it is the first time. `mark` tells states of the same positions apart. */
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

  /** All positions reachable without a character; assertions that can still come true (the end of the text) stay among them. */
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

  /** The class of a character beyond ASCII. */
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

  /** The class of a character: characters that the same consumers take are one class. */
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

/** Returns the result of a run on an automaton, or undefined if the automaton exceeded its limits. */
export function unlessOutgrown<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof OutgrownError) return undefined;
    throw error;
  }
}

/**
 * Returns true if a program asserts more than the beginning and the end of the text. An automaton does not know the
 * characters around a position.
 */
export function assertsMore({ ops, args }: RegexProgram): boolean {
  return ops.some((op, position) => op === EMPTY_WIDTH && (args[position]! & ~(BEGIN_TEXT | END_TEXT)) !== 0);
}
