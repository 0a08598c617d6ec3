import { RE2JS, RE2JSSyntaxException } from 're2js';
import { readPattern } from './pattern-tree.ts';
import type { PatternNode } from './pattern-tree.ts';
import { ALT, CONSUME, consumerOf, EMPTY_WIDTH, FAIL, MATCH } from './regex-program.ts';
import type { Consumer, Re2Instruction, Re2Program, RegexProgram } from './regex-program.ts';

/**
 * Smallest part of a regular expression. It consumes one character, or asserts a property of the current position. `runes` is the number of
 * entries in the compiled pattern's list of the characters that the part matches.
 */
export type PatternAtom =
  | { readonly kind: 'consume'; readonly consumer: Consumer; readonly runes: number }
  | { readonly kind: 'assert'; readonly assertions: number };

/**
 * Returns the number of instructions of a pattern's program, as Go estimates it before compilation. Source: Go regexp/syntax/parse.go
 * `calcSize`.
 */
function expandedSize(node: PatternNode): number {
  return Math.max(1, sizeOf(node));
}

function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case 'atom':
      return 1;
    case 'group':
      return 2 + expandedSize(node.part);
    case 'concat':
      return node.parts.reduce((sum, part) => sum + expandedSize(part), 0);
    case 'alternate':
      return node.parts.reduce((sum, part) => sum + expandedSize(part), node.parts.length - 1);
    case 'repeat': {
      const { least, most } = node;
      const part = expandedSize(node.part);
      if (most === Infinity) return least === 0 ? 2 + part : 1 + least * part;
      return most * part + most - least;
    }
  }
}

/**
 * Returns the program (the instructions for the matcher) of a regular expression. As in Go, each copy of a counted repetition has its own
 * instructions. Time and memory are proportional to the number of instructions ({@link expandedSize}). Source: Go 1.26
 * regexp/syntax/simplify.go and compile.go.
 *
 * @param atoms smallest parts of the pattern, such as a character class, by their texts
 */
export function expandPattern(root: PatternNode, atoms: ReadonlyMap<string, PatternAtom>): RegexProgram {
  const builder = new ProgramBuilder(expandedSize(root) + 2, atoms);
  const start = builder.add(root, builder.instruction(MATCH, 0, 0));
  return builder.program(start);
}

/**
 * Builder that adds instructions from the end of the pattern to its beginning. The successor of an instruction therefore exists when the
 * instruction is added.
 */
class ProgramBuilder {
  readonly #ops: Uint8Array;
  readonly #outs: Int32Array;
  readonly #args: Int32Array;
  readonly #atoms: ReadonlyMap<string, PatternAtom>;
  readonly #consumers: Consumer[] = [];
  readonly #numbers = new Map<Consumer, number>();
  readonly #nullable = new Map<PatternNode, boolean>();
  /** Number of instructions so far. Instruction 0 always fails, so 0 is never a valid successor. */
  #length = 1;

  constructor(most: number, atoms: ReadonlyMap<string, PatternAtom>) {
    this.#ops = new Uint8Array(most + 1);
    this.#outs = new Int32Array(most + 1);
    this.#args = new Int32Array(most + 1);
    this.#ops[0] = FAIL;
    this.#atoms = atoms;
  }

  program(start: number): RegexProgram {
    const end = this.#length;
    return {
      start,
      ops: this.#ops.slice(0, end),
      outs: this.#outs.slice(0, end),
      args: this.#args.slice(0, end),
      consumers: this.#consumers,
    };
  }

  instruction(op: number, out: number, arg: number): number {
    const at = this.#length++;
    this.#ops[at] = op;
    this.#outs[at] = out;
    this.#args[at] = arg;
    return at;
  }

  /** Adds the instructions that match a node and then continue at `next`. Returns the number of the first of these instructions. */
  add(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'atom':
        return this.#atom(this.#atoms.get(node.text), next);
      case 'group':
        return this.add(node.part, next);
      case 'concat':
        return node.parts.reduceRight((following, part) => this.add(part, following), next);
      case 'alternate':
        return this.#alternate(node.parts, next);
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #atom(atom: PatternAtom | undefined, next: number): number {
    if (atom === undefined) throw new Error('an atom of a pattern is not known');
    if (atom.kind === 'assert') return this.instruction(EMPTY_WIDTH, next, atom.assertions);
    const known = this.#numbers.get(atom.consumer);
    const number = known ?? this.#consumers.push(atom.consumer) - 1;
    if (known === undefined) this.#numbers.set(atom.consumer, number);
    return this.instruction(CONSUME, next, number);
  }

  #alternate(parts: readonly PatternNode[], next: number): number {
    const starts = parts.map((part) => this.add(part, next));
    return starts.reduceRight((second, first) => this.instruction(ALT, first, second));
  }

  #repeat(node: Extract<PatternNode, { kind: 'repeat' }>, next: number): number {
    const { part, least, most, greedy } = node;
    if (most === Infinity) {
      const last = least === 0 ? this.#star(part, greedy, next) : this.#plus(part, greedy, next);
      return this.#copies(part, least - 1, last);
    }
    let start = next;
    for (let optional = least; optional < most; optional++) start = this.#choice(this.add(part, start), next, greedy);
    return this.#copies(part, least, start);
  }

  #copies(part: PatternNode, count: number, next: number): number {
    let start = next;
    for (let copy = 0; copy < count; copy++) start = this.add(part, start);
    return start;
  }

  #star(part: PatternNode, greedy: boolean, next: number): number {
    // If the part may be empty, `part*` becomes `(part+)?`. This gives the match that Perl prefers.
    if (this.#isNullable(part)) return this.#choice(this.#plus(part, greedy, next), next, greedy);
    return this.#loop(part, greedy, next).choice;
  }

  #plus(part: PatternNode, greedy: boolean, next: number): number {
    return this.#loop(part, greedy, next).body;
  }

  #loop(part: PatternNode, greedy: boolean, next: number): { readonly choice: number; readonly body: number } {
    const choice = this.instruction(ALT, next, next);
    const body = this.add(part, choice);
    (greedy ? this.#outs : this.#args)[choice] = body;
    return { choice, body };
  }

  #choice(inner: number, next: number, greedy: boolean): number {
    return greedy ? this.instruction(ALT, inner, next) : this.instruction(ALT, next, inner);
  }

  #isNullable(node: PatternNode): boolean {
    const known = this.#nullable.get(node);
    if (known !== undefined) return known;
    const nullable = this.#findNullable(node);
    this.#nullable.set(node, nullable);
    return nullable;
  }

  #findNullable(node: PatternNode): boolean {
    switch (node.kind) {
      case 'atom':
        return this.#atoms.get(node.text)?.kind === 'assert';
      case 'group':
        return this.#isNullable(node.part);
      case 'concat':
        return node.parts.every((part) => this.#isNullable(part));
      case 'alternate':
        return node.parts.some((part) => this.#isNullable(part));
      case 'repeat':
        return node.least === 0 || this.#isNullable(node.part);
    }
  }
}

/** Maximum total number of characters in the classes of a pattern, as in Go. Source: Go 1.26 regexp/syntax/parse.go `maxRunes`. */
const MAX_RUNES = (128 * 1024 * 1024) / 4;

/** Opcodes of re2js that determine the kind of an atom. */
const RE2_EMPTY_WIDTH = 4;
const RE2_FAIL = 5;
const RE2_MATCH = 6;
const RE2_FIRST_RUNE_OP = 8;

/**
 * Compiles the atoms of a pattern: its single characters, classes and assertions. Returns them by their source texts. Returns undefined if
 * a text does not compile to a single atom, or if there are too many characters in classes.
 */
export function patternAtoms(tree: PatternNode): ReadonlyMap<string, PatternAtom> | undefined {
  const atoms = new Map<string, PatternAtom>();
  let runes = 0;
  const open: PatternNode[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'group' || node.kind === 'repeat') open.push(node.part);
    else if (node.kind !== 'atom') for (const part of node.parts) open.push(part);
    else {
      const atom = atomOf(node.text, atoms.get(node.text));
      if (atom === undefined) return undefined;
      atoms.set(node.text, atom);
      if (atom.kind === 'consume') runes += atom.runes;
      if (runes > MAX_RUNES) return undefined;
    }
  }
  return atoms;
}

function atomOf(text: string, known: PatternAtom | undefined): PatternAtom | undefined {
  if (known !== undefined) return known;
  let program: Re2Program;
  try {
    program = (RE2JS.compile(text).re2() as unknown as { readonly prog: Re2Program }).prog;
  } catch (thrown) {
    if (thrown instanceof RE2JSSyntaxException) return undefined;
    throw thrown;
  }
  const instruction = program.inst[program.start] as Re2Instruction;
  if (instruction.op === RE2_FAIL) return { kind: 'consume', consumer: { matchRune: () => false, runes: [] }, runes: 0 };
  if (program.inst[instruction.out]?.op !== RE2_MATCH) return undefined;
  if (instruction.op === RE2_EMPTY_WIDTH) return { kind: 'assert', assertions: instruction.arg };
  if (instruction.op < RE2_FIRST_RUNE_OP) return undefined;
  return { kind: 'consume', consumer: consumerOf(instruction), runes: instruction.runes.length };
}

/**
 * Minimum size of a pattern that this module handles, in instructions with all counted repetitions expanded. re2js (an RE2 engine in
 * JavaScript) handles smaller patterns. For larger patterns, re2js would need several times the time and memory of Go.
 */
export const MIN_EXPANDED = 4000;
/** Maximum number of instructions of a pattern. Go rejects larger patterns. Source: Go 1.26 regexp/syntax/parse.go `maxSize`. */
const MAX_EXPANDED = Math.floor((128 * 1024 * 1024) / 40);

/**
 * Valid pattern that is large because of its counted repetitions, such as `{2,500}`. Each call of `expand` creates its program (the
 * instructions that match the pattern) again.
 */
export interface CountedPattern {
  /** Creates the program: the instructions that match the pattern. Time and memory are proportional to the number of instructions. */
  expand(): RegexProgram;
  /** Number of instructions of the program, as Go counts them. */
  readonly size: number;
}

/**
 * Reads a pattern whose counted repetitions, such as `{2,500}`, expand to many instructions. Returns undefined for any other pattern, and
 * for a pattern that may be invalid. The caller must then use re2js, which reports an error of a pattern before it expands repetitions.
 *
 * @param least minimum number of instructions that the expanded pattern must have; this function returns undefined for smaller patterns
 */
export function readCounted(pattern: string, least: number = MIN_EXPANDED): CountedPattern | undefined {
  if (!/\{\d/.test(pattern) && least > 0) return undefined;
  const tree = readPattern(pattern);
  if (tree === undefined) return undefined;
  const size = expandedSize(tree);
  if (size < least || size > MAX_EXPANDED) return undefined;
  const atoms = patternAtoms(tree);
  return atoms && { size, expand: () => expandPattern(tree, atoms) };
}
