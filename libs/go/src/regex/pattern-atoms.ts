import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { PatternAtom } from './expand-pattern.ts';
import type { PatternNode } from './pattern-tree.ts';
import { consumerOf } from './regex-program.ts';
import type { Re2Instruction, Re2Program } from './regex-program.ts';

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
