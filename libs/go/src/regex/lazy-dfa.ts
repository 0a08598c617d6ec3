/** One instruction of a compiled RE2 program, as re2js holds it. */
export interface ProgramInstruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(rune: number): boolean;
}

/** A compiled RE2 program. */
export interface RegexProgram {
  readonly start: number;
  readonly inst: readonly ProgramInstruction[];
}

/** Opcodes of RE2 programs. Source: Go regexp/syntax/prog.go; the numbers are re2js's. */
const ALT = 1;
const ALT_MATCH = 2;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const NOP = 7;
const FIRST_RUNE_OP = 8;
const ANY_RUNE = 10;
const ANY_RUNE_NOT_NEWLINE = 11;

/** Assertions of an empty-width instruction. Others (lines, words) are left to the general engine. */
const BEGIN_TEXT = 4;
const END_TEXT = 8;

/** A pattern that needs more than this is left to the general engine: states cost memory, classes width. */
const MAX_STATES = 1000;
const MAX_CLASSES = 64;

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
  /** Positions of instructions that consume a character. */
  readonly #consuming: readonly number[];
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
  readonly #emptyMatches: boolean;
  readonly #start: number;

  private constructor(program: RegexProgram) {
    this.#program = program;
    this.#consuming = program.inst.flatMap(({ op }, position) => (op >= FIRST_RUNE_OP ? [position] : []));
    for (let rune = 0; rune < 128; rune++) this.#asciiClass[rune] = this.#classOf(rune);
    this.#acceptsAtEnd[ACCEPT] = 1;
    this.#emptyMatches = this.#closure([program.start], BEGIN_TEXT | END_TEXT).matched;
    this.#start = this.#stateOf(this.#closure([program.start], BEGIN_TEXT));
  }

  /** The automaton of a program, or undefined where it needs what this one does not do. */
  static of(program: RegexProgram): LazyDfa | undefined {
    if (program.inst.some(({ op, arg }) => op === EMPTY_WIDTH && (arg & ~(BEGIN_TEXT | END_TEXT)) !== 0)) return undefined;
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
    const seeds = (this.#positions[state] ?? [])
      .filter((position) => this.#consumes(position, rune))
      .map((position) => this.#program.inst[position]!.out);
    // A match may also begin here: the search is not anchored.
    const to = this.#stateOf(this.#closure([...seeds, this.#program.start], 0));
    this.#next[state * MAX_CLASSES + kind] = to;
    return to;
  }

  #consumes(position: number, rune: number): boolean {
    const instruction = this.#program.inst[position]!;
    if (instruction.op < FIRST_RUNE_OP) return false;
    if (instruction.op === ANY_RUNE) return true;
    if (instruction.op === ANY_RUNE_NOT_NEWLINE) return rune !== 10;
    return instruction.matchRune(rune);
  }

  /** All positions reachable without a character; assertions that can still come true (the end of the text) stay among them. */
  #closure(seeds: readonly number[], holding: number): { readonly positions: readonly number[]; readonly matched: boolean } {
    const seen = new Set<number>();
    const positions: number[] = [];
    const open = [...seeds];
    let matched = false;
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      if (seen.has(position)) continue;
      seen.add(position);
      const { op, out, arg } = this.#program.inst[position]!;
      if (op === ALT || op === ALT_MATCH) open.push(arg, out);
      else if (op === CAPTURE || op === NOP) open.push(out);
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
    if (state >= MAX_STATES) throw new OutgrownError();
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

  /** The class of a character: characters that the same instructions consume are one class. */
  #classOf(rune: number): number {
    const key = this.#consuming.map((position) => (this.#consumes(position, rune) ? '1' : '0')).join('');
    const known = this.#classByKey.get(key);
    if (known !== undefined) return known;
    const kind = this.#representatives.length;
    if (kind >= MAX_CLASSES) throw new OutgrownError();
    this.#representatives.push(rune);
    this.#classByKey.set(key, kind);
    return kind;
  }
}
