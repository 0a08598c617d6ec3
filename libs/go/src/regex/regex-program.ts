/** Part of a pattern that consumes one character of a text, such as a literal, a class or a dot. */
export interface Consumer {
  /** Returns true if the part accepts the character `rune`, a code point. */
  matchRune(rune: number): boolean;
  /** Characters that the part accepts, as its engine lists them. Empty if it accepts none; undefined if there is no list. */
  readonly runes?: ArrayLike<number>;
}

/**
 * Compiled RE2 program. Each numbered instruction has an operation, a next instruction and an argument. The instructions are stored in
 * columns instead of objects, because counted repetitions can expand to millions of instructions.
 */
export interface RegexProgram {
  /** Number of the first instruction. */
  readonly start: number;
  readonly ops: Uint8Array;
  /** Number of the next instruction, for each instruction. For an `ALT`, it is the preferred alternative. */
  readonly outs: Int32Array;
  /**
   * Argument of each instruction. For an `ALT`, it is the less preferred next instruction. For an `EMPTY_WIDTH`, it is the assertions, and
   * for a `CONSUME` the number of the consumer.
   */
  readonly args: Int32Array;
  readonly consumers: readonly Consumer[];
}

/**
 * Operation that marks an instruction as a choice between two next instructions. This constant and the five constants below are the
 * operations of a {@link RegexProgram}. `CONSUME` replaces the four consuming operations of Go. Source: Go regexp/syntax/prog.go.
 */
export const ALT = 1;
export const EMPTY_WIDTH = 2;
export const MATCH = 3;
export const FAIL = 4;
export const NOP = 5;
export const CONSUME = 6;

/**
 * Bit for the assertion that the position is at the beginning of a line. This constant and the five constants below are the bits of an
 * empty-width instruction. Source: Go regexp/syntax/prog.go `EmptyOp`.
 */
export const BEGIN_LINE = 1;
export const END_LINE = 2;
export const BEGIN_TEXT = 4;
export const END_TEXT = 8;
export const WORD_BOUNDARY = 16;
export const NO_WORD_BOUNDARY = 32;

/** Instruction of a regular expression that the library re2js compiled. */
export interface Re2Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array | readonly number[];
  matchRune(rune: number): boolean;
}

/** Compiled program of re2js. The type is declared here because re2js does not declare it. */
export interface Re2Program {
  readonly start: number;
  readonly inst: readonly Re2Instruction[];
}

/**
 * Table from re2js opcodes to the operations of this module. Opcodes 1 and 2 are alternatives, 3 records a group, and 8 to 11 consume a
 * character.
 */
const OPS = [FAIL, ALT, ALT, NOP, EMPTY_WIDTH, FAIL, MATCH, NOP, CONSUME, CONSUME, CONSUME, CONSUME] as const;
const RE2_ANY_NOT_NEWLINE = 11;
const RE2_ANY = 10;

/**
 * Converts a regular expression that the library re2js has compiled to a {@link RegexProgram}, which stores instructions in typed arrays.
 * Instructions that consume the same characters share one `Consumer` (a test of one character).
 */
export function programOf({ start, inst }: Re2Program): RegexProgram {
  const ops = new Uint8Array(inst.length);
  const outs = new Int32Array(inst.length);
  const args = new Int32Array(inst.length);
  const consumers: Consumer[] = [];
  const numbers = new Map<unknown, Map<number, number>>();
  for (const [at, instruction] of inst.entries()) {
    const op = OPS[instruction.op] ?? FAIL;
    ops[at] = op;
    outs[at] = instruction.out;
    args[at] = instruction.arg;
    if (op !== CONSUME) continue;
    const byKind = numbers.get(instruction.runes) ?? new Map<number, number>();
    numbers.set(instruction.runes, byKind);
    const kind = instruction.op * 2 + (instruction.arg === 0 ? 0 : 1);
    const known = byKind.get(kind);
    args[at] = known ?? consumers.length;
    if (known !== undefined) continue;
    byKind.set(kind, consumers.length);
    consumers.push(consumerOf(instruction));
  }
  return { start, ops, outs, args, consumers };
}

/**
 * Returns the consumer for a re2js instruction that consumes one character. The consumer tests if the instruction accepts a given
 * character.
 */
export function consumerOf(instruction: Re2Instruction): Consumer {
  if (instruction.op === RE2_ANY) return { matchRune: () => true };
  if (instruction.op === RE2_ANY_NOT_NEWLINE) return { matchRune: (rune) => rune !== 10 };
  return instruction;
}
