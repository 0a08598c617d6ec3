import { compareBytes } from '#go';
import { MAX_DISTINCT } from './texts.ts';

/**
 * Maximum total length, in code points, up to which the texts of several plans are listed to remove duplicates. If the texts are longer,
 * duplicates count several times.
 */
const MAX_LISTED = 4096;

/**
 * Set of texts that can be generated for a pattern or a format. All texts have the same length in code points. `count` is the number of
 * texts, limited to `MAX_DISTINCT`.
 */
export type Plan = { readonly length: number; readonly count: number } &
  /** Plan whose texts are the elements of `choices`. */
  (
    | { readonly kind: 'slot'; readonly choices: readonly string[] }
    /** Plan whose texts consist of several sections, one after another. The sections are the elements of `runs`. */
    | { readonly kind: 'runs'; readonly runs: readonly Run[] }
    /** Plan whose texts are the texts of several plans of equal length. */
    | { readonly kind: 'either'; readonly plans: readonly Plan[] }
    /** Plan with the same texts as `sorted`, but the text with the number `first` comes before all others. */
    | { readonly kind: 'moved'; readonly sorted: Plan; readonly first: number }
  );

/** Section of a generated text. It consists of `times` texts of `plan` (a set of texts of equal length), one after another. */
export interface Run {
  readonly plan: Plan;
  readonly times: number;
}

/** Returns the {@link Plan} whose texts are single characters: the elements of `choices`. */
export function slotPlan(choices: readonly string[]): Plan {
  return { kind: 'slot', length: 1, count: choices.length, choices };
}

/**
 * Returns a {@link Plan} whose texts are concatenations of the runs in `all`, in order. A run contributes `times` texts of its own plan.
 */
export function runsPlan(all: readonly Run[]): Plan {
  const runs = all.filter(({ plan, times }) => times > 0 && plan.length > 0);
  const [only] = runs;
  if (runs.length === 1 && only?.times === 1) return only.plan;
  let length = 0;
  let count = 1;
  for (const { plan, times } of runs) {
    length += plan.length * times;
    if (plan.count > 1) count = Math.min(MAX_DISTINCT, count * plan.count ** times);
  }
  return { kind: 'runs', length, count, runs };
}

/**
 * Returns one {@link Plan} that contains the texts of all given plans. All texts must have the same length. Texts of the plan with the most
 * texts come first. Duplicate texts are removed only if the texts are few and short.
 */
export function eitherPlan(all: readonly Plan[]): Plan {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const plans = all.toSorted((a, b) => b.count - a.count);
  const length = only?.length ?? 0;
  const count = Math.min(
    MAX_DISTINCT,
    plans.reduce((sum, plan) => sum + plan.count, 0),
  );
  if (count * Math.max(1, length) > MAX_LISTED) return { kind: 'either', length, count, plans };
  const texts = new Set(plans.flatMap((plan) => Array.from({ length: plan.count }, (_, number) => textOfPlan(plan, number))));
  return { kind: 'slot', length, count: texts.size, choices: [...texts] };
}

/**
 * Returns the text with the given number, from 0 to `count` − 1, from the set of texts that `plan` describes. The lowest digits of the
 * number choose the last characters. Texts with small numbers therefore share a long prefix.
 */
export function textOfPlan(plan: Plan, number: number): string {
  switch (plan.kind) {
    case 'slot':
      return plan.choices[number % plan.count] ?? '';
    case 'runs':
      return textOfRuns(plan.runs, number);
    case 'either': {
      let rest = number;
      for (const part of plan.plans) {
        if (rest < part.count) return textOfPlan(part, rest);
        rest -= part.count;
      }
      return textOfPlan(plan.plans[0] as Plan, 0);
    }
    case 'moved': {
      const { sorted, first } = plan;
      return textOfPlan(sorted, number === 0 ? first : number <= first ? number - 1 : number);
    }
  }
}

/** Number of texts that suffices for every list: a request cannot contain more elements. */
const ENOUGH = 1_000_000;

/**
 * Returns a {@link Plan} with the same first text, and with further texts that rise in the order of their bytes. If texts that are larger
 * than the first text suffice for each list, the plan has only these texts. Otherwise the plan has all texts of `plan`. Returns `plan`
 * unchanged if no such order is known.
 */
export function risingPlan(plan: Plan): Plan {
  const first = textOfPlan(plan, 0);
  const larger = withChoices(plan, ([usual = '', ...others]) => [usual, ...others.filter((one) => compareBytes(one, usual) > 0)]);
  if (larger.count >= ENOUGH) return larger;
  const sorted = withChoices(plan, (choices) => choices);
  const at = numberOf(first, sorted);
  return at === undefined ? plan : at === 0 ? sorted : { kind: 'moved', length: plan.length, count: sorted.count, sorted, first: at };
}

/** Returns a copy of a plan in which `chosen` selects the choices of each slot. The choices are sorted by their bytes. */
function withChoices(plan: Plan, chosen: (choices: readonly string[]) => readonly string[]): Plan {
  switch (plan.kind) {
    case 'slot': {
      const choices = chosen(plan.choices).toSorted(compareBytes);
      return { ...plan, choices, count: choices.length };
    }
    case 'runs':
      return runsPlan(plan.runs.map((run) => ({ ...run, plan: withChoices(run.plan, chosen) })));
    case 'either':
      return eitherPlan(plan.plans.map((part) => withChoices(part, chosen)));
    case 'moved':
      return withChoices(plan.sorted, chosen);
  }
}

/** Returns the number of a text in a plan whose texts rise. Returns undefined if the search for the text does not find it. */
function numberOf(text: string, sorted: Plan): number | undefined {
  let [low, high] = [0, sorted.count - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (compareBytes(textOfPlan(sorted, middle), text) < 0) low = middle + 1;
    else high = middle;
  }
  return textOfPlan(sorted, low) === text ? low : undefined;
}

function textOfRuns(runs: readonly Run[], number: number): string {
  const pieces: string[] = [];
  let rest = number;
  for (const { plan, times } of runs.toReversed()) {
    let left = times;
    for (; left > 0 && rest > 0 && plan.count > 1; left--) {
      pieces.push(textOfPlan(plan, rest % plan.count));
      rest = Math.floor(rest / plan.count);
    }
    if (left > 0) pieces.push(textOfPlan(plan, 0).repeat(left));
  }
  return pieces.reverse().join('');
}
