import { BEGIN_LINE, BEGIN_TEXT, compileRegex, END_LINE, END_TEXT, NO_WORD_BOUNDARY, patternAtoms, readPattern, WORD_BOUNDARY } from '#go';
import type { PatternNode } from '#go';
import { FILLERS, repetition, textSequence, ShapeReader, slot } from './text-shape.ts';
import { textOfPlan, eitherPlan, risingPlan, runsPlan, slotPlan } from './text-plan.ts';
import type { TextShape } from './text-shape.ts';
import type { Texts } from './texts.ts';
import type { Plan, Run } from './text-plan.ts';
import { MAX_DISTINCT, MAX_LENGTH } from './texts.ts';

/** Number of planned parts after which a planner gives up. Patterns of definitions need less than a hundredth of this number. */
const MAX_WORK = 20_000;

const NOTHING = runsPlan([]);

type Repetition = Extract<TextShape, { kind: 'repetition' }>;

/**
 * Planner of long texts for a shape (a set of texts, such as the matches of a pattern). It first lengthens the part of the shape that can
 * use the most additional length, and gives the remaining length to the next part.
 */
class TextPlanner {
  readonly #known = new Map<TextShape, Map<number, Plan>>();
  #work = 0;

  /**
   * Returns a plan of texts of a shape. The texts are as long as the planner can make them, up to `room` code points, which must be finite.
   * Returns undefined if all texts of the shape are longer, or if planning takes too much work.
   */
  plan(shape: TextShape, room: number): Plan | undefined {
    if (room < shape.least) return undefined;
    const used = Math.min(room, shape.most);
    const byRoom = this.#known.get(shape) ?? new Map<number, Plan>();
    this.#known.set(shape, byRoom);
    const known = byRoom.get(used);
    if (known !== undefined) return known;
    this.#work += 1;
    const plan = this.#work > MAX_WORK ? undefined : this.#find(shape, used);
    if (plan !== undefined) byRoom.set(used, plan);
    return plan;
  }

  #find(shape: TextShape, room: number): Plan | undefined {
    switch (shape.kind) {
      case 'slot':
        return slotPlan(shape.choices);
      case 'sequence':
        return this.#sequence(shape.parts, room - shape.least);
      case 'choice':
        return this.#choice(shape.parts, room);
      case 'repetition':
        return this.#repetition(shape, room);
    }
  }

  #sequence(parts: readonly TextShape[], extra: number): Plan | undefined {
    const runs: Run[] = [];
    let left = extra;
    for (const i of orderByRoom(parts)) {
      const part = parts[i] as TextShape;
      const plan = this.plan(part, part.least + left);
      if (plan === undefined) return undefined;
      left -= plan.length - part.least;
      runs[i] = { plan, times: 1 };
    }
    return runsPlan(runs);
  }

  #choice(parts: readonly TextShape[], room: number): Plan | undefined {
    const plans = parts.map((part) => this.plan(part, room)).filter((plan) => plan !== undefined);
    if (plans.length === 0) return undefined;
    const length = Math.max(...plans.map((plan) => plan.length));
    return eitherPlan(plans.filter((plan) => plan.length === length));
  }

  /** Plans a repetition. It first tries a few rounds of long texts. If these leave room, it tries many rounds of short texts. */
  #repetition({ part, times: [least, most] }: Repetition, room: number): Plan | undefined {
    if (part.most === 0 || room === 0) return NOTHING;
    const fitting = Math.min(most, part.least === 0 ? room : Math.floor(room / part.least));
    const wanted = part.most === Infinity ? 1 : Math.ceil(room / part.most);
    const few = Math.max(least, Math.min(wanted, fitting));
    const plan = this.#rounds(part, few, room);
    if (plan === undefined || plan.length === room || fitting <= few) return plan;
    const more = this.#rounds(part, fitting, room);
    return more !== undefined && more.length > plan.length ? more : plan;
  }

  /**
   * Plans `times` rounds of a part. Some rounds have the maximum length, a single round uses the remaining room, and all further rounds
   * have the minimum length.
   */
  #rounds(part: TextShape, times: number, room: number): Plan | undefined {
    if (times === 0) return NOTHING;
    const extra = room - times * part.least;
    const each = part.most - part.least;
    const long = each === 0 ? 0 : Math.min(times, Math.floor(extra / each));
    const middle = each > 0 && long < times ? 1 : 0;
    const short = times - long - middle;
    const runs: Run[] = [];
    for (const [count, length] of [
      [long, part.most],
      [middle, part.least + extra - (long === 0 ? 0 : long * each)],
      [short, part.least],
    ] as const) {
      if (count === 0) continue;
      const plan = this.plan(part, length);
      if (plan === undefined) return undefined;
      runs.push({ plan, times: count });
    }
    return runsPlan(runs);
  }
}

/**
 * Returns the indices of the parts, sorted by additional room (maximum minus minimum length). The part with the most additional room comes
 * first.
 */
function orderByRoom(parts: readonly TextShape[]): number[] {
  const room = ({ least, most }: TextShape): number => Math.min(most - least, Number.MAX_VALUE);
  return parts.map((_, i) => i).sort((a, b) => room(parts[b] as TextShape) - room(parts[a] as TextShape));
}

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

/**
 * Maximum number of different text lengths that are planned for one requested length, the longest first. Shorter lengths are needed if only
 * few texts have the requested length.
 */
const MAX_LEVELS = 256;
/** Number of consecutive lengths without a valid text after which the search for a text ends. */
const MAX_FAILURES = 8;
/** Maximum number of requested lengths whose plans are cached. */
const MAX_CACHED_PLANS = 32;

/** Plans of texts for one requested length. The plans are sorted from long to short, and each plan is made only when it is needed. */
interface Levels {
  readonly plans: Plan[];
  /** Maximum length of the texts of the next plan, in code points. -1 if there is no further plan. */
  next: number;
}

/** Generator of texts that have one of several shapes and pass a check. A shape is a tree that describes a set of texts. */
class ShapedTexts implements Texts {
  readonly least: number;
  readonly most: number;
  readonly #shapes: readonly TextShape[];
  readonly #check: (text: string) => boolean;
  readonly #levels = new Map<number, Levels>();

  /**
   * @param shapes At least one shape. The shortest text of each shape passes the check.
   * @param check Returns true if a text is valid.
   */
  constructor(shapes: readonly TextShape[], check: (text: string) => boolean) {
    this.#shapes = shapes;
    this.#check = check;
    this.least = Math.min(...shapes.map((shape) => shape.least));
    this.most = Math.max(...shapes.map((shape) => shape.most));
  }

  text(length: number, index: number): string | undefined {
    const levels = this.#levelsOf(length);
    let number = index;
    for (let level = 0; ; level++) {
      const plan = this.#planAt(levels, level);
      if (plan === undefined) break;
      if (number < plan.count) return this.#checked(levels, level, number);
      number -= plan.count;
    }
    const total = index - number;
    return total === 0 ? undefined : this.text(length, index % total);
  }

  distinct(length: number): number {
    const levels = this.#levelsOf(length);
    let total = 0;
    for (let level = 0; total < MAX_DISTINCT; level++) {
      const plan = this.#planAt(levels, level);
      if (plan === undefined) break;
      total += plan.count;
    }
    return Math.min(total, MAX_DISTINCT);
  }

  /**
   * Returns the text with the given number in the plan with index `first` if it passes the check. If it does not, tries the texts of later,
   * shorter plans. If no text passes, returns the first text of the plan with index `first`. Undefined if there is no such plan.
   */
  #checked(levels: Levels, first: number, number: number): string | undefined {
    for (let level = first; level < first + MAX_FAILURES; level++) {
      const plan = this.#planAt(levels, level);
      if (plan === undefined) break;
      const text = textOfPlan(plan, number % plan.count);
      if (this.#check(text)) return text;
    }
    const plan = levels.plans[first];
    return plan && textOfPlan(plan, 0);
  }

  #levelsOf(length: number): Levels {
    const requested = Math.floor(Math.max(this.least, Math.min(length, this.most, MAX_LENGTH)));
    const known = this.#levels.get(requested);
    if (known !== undefined) return known;
    const levels: Levels = { plans: [], next: requested };
    if (this.#levels.size >= MAX_CACHED_PLANS) this.#levels.clear();
    this.#levels.set(requested, levels);
    return levels;
  }

  #planAt(levels: Levels, level: number): Plan | undefined {
    while (levels.plans.length <= level && levels.plans.length < MAX_LEVELS && levels.next >= this.least) {
      const plan = this.#findPlan(levels.next);
      levels.next = plan === undefined ? -1 : plan.length - 1;
      if (plan !== undefined) levels.plans.push(plan);
    }
    return levels.plans[level];
  }

  /** Returns the longest plan of at most `length` code points whose first text passes the check. */
  #findPlan(length: number): Plan | undefined {
    let room = length;
    for (let failures = 0; failures < MAX_FAILURES && room >= this.least; failures++) {
      const planner = new TextPlanner();
      const plans = this.#shapes.map((shape) => planner.plan(shape, room)).filter((plan) => plan !== undefined);
      const longest = Math.max(...plans.map((plan) => plan.length));
      const passing = plans.filter((plan) => plan.length === longest && this.#check(textOfPlan(plan, 0)));
      if (passing.length > 0) return risingPlan(eitherPlan(passing));
      room = Math.min(longest, room) - 1;
    }
    return this.#shortest(length);
  }

  #shortest(length: number): Plan | undefined {
    return this.least < length ? this.#findPlan(this.least) : undefined;
  }
}
