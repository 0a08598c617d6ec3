import { BEGIN_LINE, BEGIN_TEXT, compileRegex, END_LINE, END_TEXT, NO_WORD_BOUNDARY, patternAtoms, readPattern, WORD_BOUNDARY } from '#go';
import type { PatternNode } from '#go';
import { FILLERS } from './slot-choices.ts';
import { TextPlanner } from './text-planner.ts';
import { textOfPlan } from './text-plan.ts';
import { repetition, sequence, ShapeReader, slot } from './text-shape.ts';
import type { Shape } from './text-shape.ts';
import { ShapedTexts } from './shaped-texts.ts';
import type { Texts } from './texts.ts';

/** Texts that match a pattern, or the reason why there are none here. */
export type PatternTexts = { readonly ok: true; readonly texts: Texts } | { readonly ok: false; readonly reason: PatternProblem };

/**
 * The reasons why a pattern has no texts here. It is too long, it is no pattern, it cannot be read as a tree, or no match was found.
 */
type PatternProblem = 'too long' | 'not a pattern' | 'not readable' | 'no match found';

/** Longer patterns are not read: a program of that length takes seconds to compile. Patterns of definitions have some hundred characters. */
const LONGEST_PATTERN = 50_000;

/**
 * Returns texts in which a pattern matches. The pattern has RE2 syntax and may match anywhere, as `pattern` in the schema of a
 * CustomResourceDefinition. Our own engine matches each text before it is handed out. A text has characters around the match where no anchor
 * forbids them. Takes time by the pattern's length; texts take time by their length.
 */
export function patternTexts(pattern: string): PatternTexts {
  if (pattern.length > LONGEST_PATTERN) return { ok: false, reason: 'too long' };
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

/** Returns the shapes of texts with a match: with more characters at either end or none, and with a blank before these or not. */
function shapesOf(tree: PatternNode, reader: ShapeReader): Shape[] {
  const begins = reader.asserts(BEGIN_TEXT | BEGIN_LINE) ? [false, true] : [false];
  const ends = reader.asserts(END_TEXT | END_LINE) ? [false, true] : [false];
  const spaced = reader.asserts(WORD_BOUNDARY | NO_WORD_BOUNDARY) ? [true, false] : [false];
  const shapes: Shape[] = [];
  for (const begin of begins) {
    for (const end of ends) {
      const match = reader.shapeOf(tree, { begin, end });
      if (match === undefined) continue;
      const more = begin && end ? [false] : spaced;
      for (const blank of more) shapes.push(sequence([...(begin ? [] : [before(blank)]), match, ...(end ? [] : [behind(blank)])]));
    }
  }
  return shapes;
}

const FILLER = repetition(slot(FILLERS), [0, Infinity]);
const BLANK = slot([' ']);

const before = (blank: boolean): Shape => (blank ? repetition(sequence([FILLER, BLANK]), [0, 1]) : FILLER);
const behind = (blank: boolean): Shape => (blank ? repetition(sequence([BLANK, FILLER]), [0, 1]) : FILLER);
