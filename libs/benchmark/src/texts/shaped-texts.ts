import { TextPlanner } from './text-planner.ts';
import { eitherPlan, textOfPlan } from './text-plan.ts';
import type { Plan } from './text-plan.ts';
import type { TextShape } from './text-shape.ts';
import { MAX_DISTINCT, MAX_LENGTH } from './texts.ts';
import type { Texts } from './texts.ts';

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
export class ShapedTexts implements Texts {
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
   * shorter plans. If no text passes, returns the first text of the plan with index `first`.
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
      if (passing.length > 0) return eitherPlan(passing);
      room = Math.min(longest, room) - 1;
    }
    return this.#shortest(length);
  }

  #shortest(length: number): Plan | undefined {
    return this.least < length ? this.#findPlan(this.least) : undefined;
  }
}
