import type { TextShape } from './text-shape.ts';
import { eitherPlan, runsPlan, slotPlan } from './text-plan.ts';
import type { Plan, Run } from './text-plan.ts';

/** Number of planned parts after which a planner gives up. Patterns of definitions need less than a hundredth of this number. */
const MAX_WORK = 20_000;

const NOTHING = runsPlan([]);

type Repetition = Extract<TextShape, { kind: 'repetition' }>;

/**
 * Planner of long texts for a shape (a set of texts, such as the matches of a pattern). It first lengthens the part of the shape that can
 * use the most additional length, and gives the remaining length to the next part.
 */
export class TextPlanner {
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
