import { RE2JS, RE2JSSyntaxException } from 're2js';
import { expandedSize, expandPattern } from './expand-pattern.ts';
import type { Atom } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import type { PatternNode } from './pattern-tree.ts';
import { consumerOf } from './regex-program.ts';
import type { Re2Instruction, Re2Program, RegexProgram } from './regex-program.ts';

/** Patterns of fewer instructions are re2js's own matter: beyond, its trees and programs take several times Go's time and memory. */
export const LEAST_EXPANDED = 4000;
/** Go compiles nothing larger. Source: Go 1.26 regexp/syntax/parse.go `maxSize`. */
const MOST_EXPANDED = Math.floor((128 * 1024 * 1024) / 40);
/** Go keeps no more characters of classes. Source: Go 1.26 regexp/syntax/parse.go `maxRunes`. */
const MOST_RUNES = (128 * 1024 * 1024) / 4;

/** Opcodes of re2js. */
const RE2_EMPTY_WIDTH = 4;
const RE2_FAIL = 5;
const RE2_MATCH = 6;
const RE2_FIRST_RUNE_OP = 8;

/** A pattern whose counted repetitions make it large, valid as Go sees it. Its program is made when it is asked for, each time. */
export interface CountedPattern {
  /** Makes the program. Takes time and memory by its instructions. */
  expand(): RegexProgram;
  /** How many instructions that are, as Go counts them. */
  readonly size: number;
}

/**
 * Reads a pattern with counted repetitions that come to many instructions. Undefined for any other pattern, and for what is not surely valid: re2js
 * judges those, and finds errors before it expands anything.
 *
 * @param least instructions from which on a pattern is read so
 */
export function readCounted(pattern: string, least: number = LEAST_EXPANDED): CountedPattern | undefined {
  if (!/\{\d/.test(pattern) && least > 0) return undefined;
  const tree = readPattern(pattern);
  if (tree === undefined) return undefined;
  const size = expandedSize(tree);
  if (size < least || size > MOST_EXPANDED) return undefined;
  const atoms = atomsOf(tree);
  return atoms && { size, expand: () => expandPattern(tree, atoms) };
}

/** The atoms of a pattern, each compiled alone; undefined where one of them is none. */
function atomsOf(tree: PatternNode): ReadonlyMap<string, Atom> | undefined {
  const atoms = new Map<string, Atom>();
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
      if (runes > MOST_RUNES) return undefined;
    }
  }
  return atoms;
}

function atomOf(text: string, known: Atom | undefined): Atom | undefined {
  if (known !== undefined) return known;
  let program: Re2Program;
  try {
    program = (RE2JS.compile(text).re2() as unknown as { readonly prog: Re2Program }).prog;
  } catch (thrown) {
    if (thrown instanceof RE2JSSyntaxException) return undefined;
    throw thrown;
  }
  const instruction = program.inst[program.start] as Re2Instruction;
  if (instruction.op === RE2_FAIL) return { kind: 'consume', consumer: { matchRune: () => false }, runes: 0 };
  if (program.inst[instruction.out]?.op !== RE2_MATCH) return undefined;
  if (instruction.op === RE2_EMPTY_WIDTH) return { kind: 'assert', assertions: instruction.arg };
  if (instruction.op < RE2_FIRST_RUNE_OP) return undefined;
  return { kind: 'consume', consumer: consumerOf(instruction), runes: instruction.runes.length };
}
