import { expandedSize, expandPattern } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import { patternAtoms } from './pattern-atoms.ts';
import type { RegexProgram } from './regex-program.ts';

/**
 * Minimum number of instructions for which this module handles a pattern. re2js handles smaller patterns. For larger patterns, its trees
 * and programs take several times the time and memory of Go.
 */
export const LEAST_EXPANDED = 4000;
/** Maximum number of instructions of a pattern. Go compiles no larger pattern. Source: Go 1.26 regexp/syntax/parse.go `maxSize`. */
const MOST_EXPANDED = Math.floor((128 * 1024 * 1024) / 40);

/** Valid pattern that is large because of its counted repetitions. Its program is created anew on each request. */
export interface CountedPattern {
  /** Creates the program. Time and memory are proportional to the number of instructions. */
  expand(): RegexProgram;
  /** Number of instructions by Go's count. */
  readonly size: number;
}

/**
 * Reads a pattern with counted repetitions that expand to many instructions. Returns undefined for any other pattern, and if the pattern
 * may be invalid. re2js handles those patterns, and reports errors before it expands anything.
 *
 * @param least minimum number of instructions of a pattern that is read in this way
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
