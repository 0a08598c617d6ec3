import { transitionOf } from '../src/life/job-life.ts';
import type { Facts, JobEvent, JobState, Transition } from '../src/life/job-life.ts';

/**
 * Steps of a walk through the life of a job: calls of the store, and failures. `stale` means that the step uses the first start instead of
 * the last. `again` means that the result of the first part is stored once more. `large` means that the result exceeds the limit for
 * stored results.
 */
export const STEPS = [
  'add',
  'append',
  'resend',
  'seal',
  'begin',
  'hold',
  'note',
  'stale note',
  'store',
  'large store',
  'stale store',
  'store again',
  'cancel',
  'lose',
  'forget',
] as const;
export type Step = (typeof STEPS)[number];

/** Answer to a step, and the state that clients and metrics see after the step. */
export interface Seen {
  /** The answer to the step; undefined if its port returns nothing. */
  readonly answer: unknown;
  /** Progress as text: `phase done/total`, with the numbers of parts. Undefined if the job is not known. */
  readonly progress: string | undefined;
  /** Number of parts that have no result. */
  readonly waiting: number;
}

/** Start of a job: the sequence number of the job among all jobs with its id, and the sequence number of the start. */
interface Start {
  readonly born: number;
  readonly fence: number;
}

/**
 * Reference model of one job, with which tests compare the embedded and the Redis store. The model takes its transitions from `JOB_LIFE`,
 * and records which parts have a result.
 */
export class LifeModel {
  state: JobState = 'unknown';
  #born = 0;
  #fence = 0;
  #total = 0;
  #done = new Set<number>();
  readonly #starts: Start[] = [];

  /** Performs a step. Returns undefined if the step is impossible, such as a result before any start. */
  step(step: Step): Seen | undefined {
    const answer = this.#answer(step);
    return answer === undefined ? undefined : this.#seen(answer.is);
  }

  /** Text of the complete state on which the effect of later steps depends. Models with equal keys behave equally. */
  get key(): string {
    const starts = [this.#starts[0], this.#starts.at(-1)].map((start) => start && this.#holds(start));
    return JSON.stringify([this.state, this.#total, [...this.#done], starts, this.#starts.length > 1]);
  }

  /** Index of the first part that has no result. */
  get next(): number {
    let part = 0;
    while (this.#done.has(part)) part += 1;
    return part;
  }

  #answer(step: Step): { readonly is: unknown } | undefined {
    switch (step) {
      case 'add':
        return { is: this.#happen('add').answer };
      case 'append':
        return { is: this.#happen('append').answer };
      case 'resend':
        return this.#total > 0 ? { is: this.#happen('append', { resent: true }).answer } : undefined;
      case 'seal':
        this.#happen('seal', { last: this.#total === 0 });
        return { is: undefined };
      case 'begin':
        return { is: this.#begin() };
      case 'hold':
        return this.#by(this.#starts.at(-1), (start) => this.#happen('hold', { superseded: !this.#holds(start) }).answer === 'held');
      case 'note':
        return this.#by(this.#starts.at(-1), (start) => this.#note(start));
      case 'stale note':
        return this.#starts.length > 1 ? this.#by(this.#starts[0], (start) => this.#note(start)) : undefined;
      case 'store':
        return this.#by(this.#starts.at(-1), (start) => this.#store(start, this.next));
      case 'large store':
        return this.#by(this.#starts.at(-1), (start) => this.#store(start, this.next, true));
      case 'stale store':
        return this.#starts.length > 1 ? this.#by(this.#starts[0], (start) => this.#store(start, this.next)) : undefined;
      case 'store again':
        return this.#by(this.#starts.at(-1), (start) => this.#store(start, 0));
      case 'cancel':
        return { is: this.#happen('cancel').answer === 'cancelled' };
      case 'lose':
        if (this.#total === this.#done.size || this.state === 'unknown') return undefined;
        this.#happen('lose');
        return { is: undefined };
      case 'forget':
        this.#happen('forget');
        return { is: undefined };
    }
  }

  #by(start: Start | undefined, act: (start: Start) => unknown): { readonly is: unknown } | undefined {
    return start && { is: act(start) };
  }

  #begin(): unknown {
    if (this.#happen('begin').answer !== 'begun') return 'nothing';
    this.#starts.push({ born: this.#born, fence: this.#fence });
    return `${this.#done.size} of ${this.#total} done`;
  }

  #store(start: Start, part: number, overfull = false): unknown {
    const facts = {
      judged: this.#done.has(part),
      superseded: !this.#holds(start),
      overfull,
      last: this.#done.size + 1 === this.#total,
    };
    const transition = this.#happen('store', facts);
    if (transition.effects.includes('store')) this.#done.add(part);
    return transition.answer;
  }

  #note(start: Start): boolean {
    return this.#happen('note', { superseded: !this.#holds(start) }).answer === 'noted';
  }

  #holds({ born, fence }: Start): boolean {
    return born === this.#born && fence === this.#fence && this.state !== 'unknown';
  }

  #happen(event: JobEvent, facts: Facts = {}): Transition {
    const transition = transitionOf(this.state, event, facts);
    this.state = transition.to;
    for (const effect of transition.effects) {
      if (effect === 'open') [this.#born, this.#fence] = [this.#born + 1, 0];
      if (effect === 'keep') this.#total += 1;
      if (effect === 'fence') this.#fence += 1;
      if (effect === 'erase') [this.#total, this.#done] = [0, new Set()];
    }
    return transition;
  }

  #seen(answer: unknown): Seen {
    const progress = this.state === 'unknown' ? undefined : `${this.state} ${this.#done.size}/${this.#total}`;
    const lives = this.state === 'receiving' || this.state === 'running';
    return { answer, progress, waiting: lives ? this.#total - this.#done.size : 0 };
  }
}

/**
 * Returns every sequence of at most `length` steps in which each step except the last changes the state. A step that changes nothing is
 * only tested at the end of a sequence, because it does not influence later steps. The longest sequences come last, and every other
 * sequence is the beginning of one of them.
 */
export function walks(length: number, steps: readonly Step[]): readonly (readonly Step[])[] {
  const found: (readonly Step[])[] = [];
  extend([]);
  return found;

  function extend(before: readonly Step[]): void {
    const key = modelAfter(before).key;
    let extended = false;
    const idle: Step[] = [];
    for (const step of steps) {
      const model = modelAfter(before);
      if (!model.step(step)) continue;
      if (model.key === key) idle.push(step);
      else if (before.length + 1 < length) {
        extended = true;
        extend([...before, step]);
      } else found.push([...before, ...idle.splice(0), step]);
    }
    if (idle.length > 0 || !extended) found.push([...before, ...idle]);
  }
}

function modelAfter(steps: readonly Step[]): LifeModel {
  const model = new LifeModel();
  for (const step of steps) model.step(step);
  return model;
}
