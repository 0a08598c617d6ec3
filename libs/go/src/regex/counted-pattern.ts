import { expandedSize, expandPattern } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import { patternAtoms } from './pattern-atoms.ts';
import type { RegexProgram } from './regex-program.ts';

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
