import { ALT, BEGIN_TEXT, CONSUME, EMPTY_WIDTH, END_TEXT, FAIL, MATCH, NOP } from './regex-program.ts';
import type { RegexProgram } from './regex-program.ts';

/** A pattern that needs more than this is left to the general engine: states cost memory, classes width. */
const MAX_STATES = 1000;
const MAX_CLASSES = 64;
/** Positions of all states together: each holds as many as the program has ways at a time. */
const MAX_POSITIONS = 500_000;

const UNKNOWN = -1;
const DEAD = 0;
const ACCEPT = 1;

/** Thrown inside, caught in {@link LazyDfa.test}: the automaton outgrew its limits. */
class OutgrownError extends Error {}

/**
 * Answers "does the pattern match anywhere" in one table look-up a character. States (sets of program positions) are made when a text first
 * needs them; characters are first mapped to classes that the program cannot tell apart.
 */
export class LazyDfa {
  readonly #program: RegexProgram;
  readonly #classByKey = new Map<string, number>();
  /** One character of each class. */
  readonly #representatives: number[] = [];
  readonly #asciiClass = new Uint8Array(128);
  readonly #otherClass = new Map<number, number>();
  readonly #stateByKey = new Map<string, number>();
  readonly #positions: (readonly number[])[] = [[], []];
  /** 1 where a text may end in this state and match. */
  #acceptsAtEnd = new Uint8Array(64);
  /** Next state by state × {@link MAX_CLASSES} + class. */
  #next = new Int32Array(64 * MAX_CLASSES).fill(UNKNOWN);
  #positionCount = 0;
  readonly #emptyMatches: boolean;
  readonly #start: number;

  private constructor(program: RegexProgram) {
    this.#program = program;
    for (let rune = 0; rune < 128; rune++) this.#asciiClass[rune] = this.#classOf(rune);
    this.#acceptsAtEnd[ACCEPT] = 1;
    this.#emptyMatches = this.#closure([program.start], BEGIN_TEXT | END_TEXT).matched;
    this.#start = this.#stateOf(this.#closure([program.start], BEGIN_TEXT));
  }

  /** The automaton of a program, or undefined where it needs what this one does not do. */
  static of(program: RegexProgram): LazyDfa | undefined {
    if (assertsMore(program)) return undefined;
    try {
      return new LazyDfa(program);
    } catch (error) {
      if (error instanceof OutgrownError) return undefined;
      throw error;
    }
  }

  /** Whether the pattern matches anywhere in the text; undefined when the automaton outgrew its limits on the way. */
  test(text: string): boolean | undefined {
    if (text.length === 0) return this.#emptyMatches;
    try {
      return this.#run(text);
    } catch (error) {
      if (error instanceof OutgrownError) return undefined;
      throw error;
    }
  }

  #run(text: string): boolean {
    const ascii = this.#asciiClass;
    let next = this.#next;
    let state = this.#start;
    if (state <= ACCEPT) return state === ACCEPT;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      let kind: number;
      if (unit < 128) kind = ascii[unit]!;
      else {
        const rune = text.codePointAt(i)!;
        if (rune > 0xffff) i++;
        kind = this.#otherClassOf(rune);
      }
      let to = next[state * MAX_CLASSES + kind]!;
      if (to <= ACCEPT) {
        if (to === UNKNOWN) {
          to = this.#step(state, kind);
          next = this.#next;
        }
        if (to <= ACCEPT) return to === ACCEPT;
      }
      state = to;
    }
    return this.#acceptsAtEnd[state] === 1;
  }

  #step(state: number, kind: number): number {
    const rune = this.#representatives[kind] ?? 0;
    const { ops, outs, args, consumers, start } = this.#program;
    const taking = consumers.map((consumer) => consumer.matchRune(rune));
    const seeds: number[] = [];
    for (const position of this.#positions[state] ?? [])
      if (ops[position] === CONSUME && taking[args[position]!]!) seeds.push(outs[position]!);
    // A match may also begin here: the search is not anchored.
    const to = this.#stateOf(this.#closure([...seeds, start], 0));
    this.#next[state * MAX_CLASSES + kind] = to;
    return to;
  }

  /** All positions reachable without a character; assertions that can still come true (the end of the text) stay among them. */
  #closure(seeds: readonly number[], holding: number): { readonly positions: readonly number[]; readonly matched: boolean } {
    const { ops, outs, args } = this.#program;
    const seen = new Set<number>();
    const positions: number[] = [];
    const open = [...seeds];
    let matched = false;
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      if (seen.has(position)) continue;
      seen.add(position);
      const op = ops[position]!;
      const out = outs[position]!;
      const arg = args[position]!;
      if (op === ALT) open.push(arg, out);
      else if (op === NOP) open.push(out);
      else if (op === MATCH) matched = true;
      else if (op === EMPTY_WIDTH) {
        if ((arg & ~holding) === 0) open.push(out);
        else if ((arg & ~holding & BEGIN_TEXT) === 0) positions.push(position);
      } else if (op !== FAIL) positions.push(position);
    }
    return { positions: positions.sort((a, b) => a - b), matched };
  }

  #stateOf({ positions, matched }: { readonly positions: readonly number[]; readonly matched: boolean }): number {
    if (matched) return ACCEPT;
    if (positions.length === 0) return DEAD;
    const key = positions.join();
    const known = this.#stateByKey.get(key);
    if (known !== undefined) return known;
    const state = this.#positions.length;
    this.#positionCount += positions.length;
    if (state >= MAX_STATES || this.#positionCount > MAX_POSITIONS) throw new OutgrownError();
    this.#positions.push(positions);
    this.#stateByKey.set(key, state);
    if (state >= this.#acceptsAtEnd.length) this.#grow();
    this.#acceptsAtEnd[state] = this.#closure(positions, END_TEXT).matched ? 1 : 0;
    return state;
  }

  #grow(): void {
    const accepts = new Uint8Array(this.#acceptsAtEnd.length * 2);
    accepts.set(this.#acceptsAtEnd);
    this.#acceptsAtEnd = accepts;
    const next = new Int32Array(this.#next.length * 2).fill(UNKNOWN);
    next.set(this.#next);
    this.#next = next;
  }

  #otherClassOf(rune: number): number {
    const known = this.#otherClass.get(rune);
    if (known !== undefined) return known;
    const kind = this.#classOf(rune);
    if (this.#otherClass.size > 4096) this.#otherClass.clear();
    this.#otherClass.set(rune, kind);
    return kind;
  }

  /** The class of a character: characters that the same consumers take are one class. */
  #classOf(rune: number): number {
    const key = this.#program.consumers.map((consumer) => (consumer.matchRune(rune) ? '1' : '0')).join('');
    const known = this.#classByKey.get(key);
    if (known !== undefined) return known;
    const kind = this.#representatives.length;
    if (kind >= MAX_CLASSES) throw new OutgrownError();
    this.#representatives.push(rune);
    this.#classByKey.set(key, kind);
    return kind;
  }
}

/** Whether a program asserts anything but the beginning and the end of the text. */
function assertsMore({ ops, args }: RegexProgram): boolean {
  return ops.some((op, position) => op === EMPTY_WIDTH && (args[position]! & ~(BEGIN_TEXT | END_TEXT)) !== 0);
}
