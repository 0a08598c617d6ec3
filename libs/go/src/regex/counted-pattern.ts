import { expandedSize, expandPattern } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import { patternAtoms } from './pattern-atoms.ts';
import type { RegexProgram } from './regex-program.ts';

/** Patterns of fewer instructions are re2js's own matter: beyond, its trees and programs take several times Go's time and memory. */
export const LEAST_EXPANDED = 4000;
/** Go compiles nothing larger. Source: Go 1.26 regexp/syntax/parse.go `maxSize`. */
const MOST_EXPANDED = Math.floor((128 * 1024 * 1024) / 40);

/** A pattern whose counted repetitions make it large, valid as Go sees it. Its program is made when it is asked for, each time. */
export interface CountedPattern {
  /** Makes the program. Takes time and memory by its instructions. */
  expand(): RegexProgram;
  /** Number of instructions by Go's count. */
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
  const atoms = patternAtoms(tree);
  return atoms && { size, expand: () => expandPattern(tree, atoms) };
}
