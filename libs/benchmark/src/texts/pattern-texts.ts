import { BEGIN_LINE, BEGIN_TEXT, compileRegex, END_LINE, END_TEXT, NO_WORD_BOUNDARY, patternAtoms, readPattern, WORD_BOUNDARY } from '#go';
import type { PatternNode } from '#go';
import { FILLERS } from './slot-choices.ts';
import { TextPlanner } from './text-planner.ts';
import { textOfPlan } from './text-plan.ts';
import { repetition, textSequence, ShapeReader, slot } from './text-shape.ts';
import type { TextShape } from './text-shape.ts';
import { ShapedTexts } from './shaped-texts.ts';
import type { Texts } from './texts.ts';

/** A generator of texts that match a pattern, or the reason why there is none. */
export type PatternTexts = { readonly ok: true; readonly texts: Texts } | { readonly ok: false; readonly reason: PatternProblem };

/**
 * Reason why no texts can be generated for a pattern. The pattern is too long, it is not valid, it cannot be read as a tree, or no match
 * was found.
 */
type PatternProblem = 'too long' | 'not a pattern' | 'not readable' | 'no match found';

/**
 * Maximum length of a pattern in characters. Longer patterns are not read because compiling them takes seconds. Patterns of definitions
 * have some hundred characters.
 */
const MAX_PATTERN_LENGTH = 50_000;

/**
 * Returns a generator of texts that a pattern matches. The pattern has RE2 syntax and may match anywhere in the text, like `pattern` in the
 * schema of a CustomResourceDefinition. Assay's own regular expression engine checks each text before it is returned. A text has additional
 * characters around the match unless an anchor forbids them. The time for creating the generator depends on the length of the pattern. The
 * time for generating a text depends on the length of the text.
 */
export function patternTexts(pattern: string): PatternTexts {
  if (pattern.length > MAX_PATTERN_LENGTH) return { ok: false, reason: 'too long' };
  const compiled = compileRegex(pattern);
  if (!compiled.ok) return { ok: false, reason: 'not a pattern' };
  const tree = readPattern(pattern);
  const atoms = tree && patternAtoms(tree);
  if (tree === undefined || atoms === undefined) return { ok: false, reason: 'not readable' };
  const check = (text: string): boolean => compiled.regex.test(text);
  const shapes = shapesOf(tree, new ShapeReader(atoms)).filter((shape) => {
    const plan = new TextPlanner().plan(shape, shape.least);
    return plan !== undefined && check(textOfPlan(plan, 0));
  });
  return shapes.length === 0 ? { ok: false, reason: 'no match found' } : { ok: true, texts: new ShapedTexts(shapes, check) };
}

/**
 * Returns the shapes of texts that contain a match. Some shapes have additional characters around the match, and some of these have a blank
 * between the match and the additional characters.
 */
function shapesOf(tree: PatternNode, reader: ShapeReader): TextShape[] {
  const begins = reader.asserts(BEGIN_TEXT | BEGIN_LINE) ? [false, true] : [false];
  const ends = reader.asserts(END_TEXT | END_LINE) ? [false, true] : [false];
  const spaced = reader.asserts(WORD_BOUNDARY | NO_WORD_BOUNDARY) ? [true, false] : [false];
  const shapes: TextShape[] = [];
  for (const begin of begins) {
    for (const end of ends) {
      const match = reader.shapeOf(tree, { begin, end });
      if (match === undefined) continue;
      const more = begin && end ? [false] : spaced;
      for (const blank of more) shapes.push(textSequence([...(begin ? [] : [before(blank)]), match, ...(end ? [] : [behind(blank)])]));
    }
  }
  return shapes;
}

const FILLER = repetition(slot(FILLERS), [0, Infinity]);
const BLANK = slot([' ']);

const before = (blank: boolean): TextShape => (blank ? repetition(textSequence([FILLER, BLANK]), [0, 1]) : FILLER);
const behind = (blank: boolean): TextShape => (blank ? repetition(textSequence([BLANK, FILLER]), [0, 1]) : FILLER);
