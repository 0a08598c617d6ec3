import { transitionOf } from '../src/life/evaluation-life.ts';
import type { EvaluationEvent, EvaluationState, Facts, Transition } from '../src/life/evaluation-life.ts';

/**
 * Steps of a walk through the life of an evaluation: calls of the ports, and failures. `stale` means that the step uses the first claim
 * instead of the last. `large` means that the result exceeds the limit for stored results.
 */
export const STEPS = [
  'accept',
  'enqueue',
  'resend',
  'seal',
  'claim',
  'renew',
  'commit',
  'large commit',
  'stale commit',
  'release',
  'expire',
  'cancel',
  'lose',
  'forget',
] as const;
export type Step = (typeof STEPS)[number];

/** Answer to a step, and the state that clients and metrics see after the step. */
export interface Seen {
  /** The answer to the step; undefined if its port returns nothing. */
  readonly answer: unknown;
  /** Progress as text: `phase done/total`, with the numbers of chunks. Undefined if the evaluation is not known. */
  readonly progress: string | undefined;
  readonly waiting: number;
  readonly claimed: number;
}

interface Waiting {
  readonly chunk: number;
  readonly claims: number;
}
interface Lease extends Waiting {
  /** Sequence number of the evaluation among the evaluations that were accepted under this id. */
  readonly born: number;
  held: boolean;
}

/**
 * Reference model of one evaluation, with which tests compare the embedded and the Redis queue. The model takes its transitions from
 * `EVALUATION_LIFE`, and records which chunks wait, are leased, or are done.
 */
export class LifeModel {
  state: EvaluationState = 'unknown';
  #born = 0;
  #total = 0;
  #done = new Set<number>();
  #waiting: Waiting[] = [];
  readonly #leases: Lease[] = [];

  /** Performs a step. Returns undefined if the step is impossible, such as a commit before any claim. */
  step(step: Step): Seen | undefined {
    const answer = this.#answer(step);
    return answer === undefined ? undefined : this.#seen(answer.is);
  }

  /** Text of the complete state on which the effect of later steps depends. Models with equal keys behave equally. */
  get key(): string {
    const leases = this.#leases.map(({ chunk, claims, born, held }) => [chunk, claims, this.#born - born, held]);
    return JSON.stringify([this.state, this.#total, [...this.#done], this.#waiting, leases]);
  }

  #answer(step: Step): { readonly is: unknown } | undefined {
    switch (step) {
      case 'accept':
        return { is: this.#happen('accept').answer };
      case 'enqueue':
        return { is: this.#happen('enqueue', {}, { chunk: this.#total, claims: 0 }).answer };
      case 'resend':
        return this.#total > 0 ? { is: this.#happen('enqueue', { resent: true }).answer } : undefined;
      case 'seal':
        this.#happen('seal', { last: this.#done.size === this.#total });
        return { is: undefined };
      case 'claim':
        return { is: this.#claim() };
      case 'renew':
        return this.#by(this.#leases.at(-1), (lease) => this.#happen('renew', { superseded: !this.#holds(lease) }).answer === 'held');
      case 'commit':
        return this.#by(this.#leases.at(-1), (lease) => this.#commit(lease));
      case 'large commit':
        return this.#by(this.#leases.at(-1), (lease) => this.#commit(lease, true));
      case 'stale commit':
        return this.#leases.length > 1 ? this.#by(this.#leases[0], (lease) => this.#commit(lease)) : undefined;
      case 'release':
        return this.#by(this.#leases.at(-1), (lease) => this.#giveBack(lease, 'release'));
      case 'expire':
        for (const lease of this.#leases.filter(({ held }) => held)) this.#giveBack(lease, 'expire');
        return { is: undefined };
      case 'cancel':
        return { is: this.#happen('cancel').answer === 'cancelled' };
      case 'lose':
        if (this.#waiting.length === 0) return undefined;
        this.#happen('lose');
        return { is: undefined };
      case 'forget':
        this.#happen('forget');
        return { is: undefined };
    }
  }

  #by(lease: Lease | undefined, act: (lease: Lease) => unknown): { readonly is: unknown } | undefined {
    return lease && { is: act(lease) };
  }

  #claim(): unknown {
    const next = this.#waiting[0];
    if (!next) return 'nothing';
    this.#happen('claim');
    this.#waiting.shift();
    this.#leases.push({ ...next, born: this.#born, held: true });
    return `${next.chunk} claimed ${next.claims} times before`;
  }

  #commit(lease: Lease, overfull = false): unknown {
    const facts = {
      judged: this.#done.has(lease.chunk),
      superseded: !this.#holds(lease),
      overfull,
      last: this.#done.size + 1 === this.#total,
    };
    lease.held = false;
    return this.#happen('commit', facts, lease).answer;
  }

  #giveBack(lease: Lease, event: 'release' | 'expire'): void {
    const superseded = !this.#holds(lease);
    if (!lease.held) return;
    lease.held = false;
    this.#happen(event, { superseded }, { chunk: lease.chunk, claims: lease.claims + 1 });
  }

  #holds({ held, born }: Lease): boolean {
    return held && born === this.#born && this.state !== 'unknown';
  }

  #happen(event: EvaluationEvent, facts: Facts = {}, chunk?: Waiting): Transition {
    const transition = transitionOf(this.state, event, facts);
    this.state = transition.to;
    for (const effect of transition.effects) {
      if (effect === 'open') this.#born++;
      if (effect === 'queue' && chunk) this.#total = this.#waiting.push(chunk) && this.#total + 1;
      if (effect === 'requeue' && chunk) this.#waiting.unshift(chunk);
      if (effect === 'store' && chunk) this.#done.add(chunk.chunk);
      if (effect === 'close') this.#waiting = [];
      if (effect === 'erase') [this.#total, this.#done] = [0, new Set()];
    }
    return transition;
  }

  #seen(answer: unknown): Seen {
    const progress = this.state === 'unknown' ? undefined : `${this.state} ${this.#done.size}/${this.#total}`;
    return { answer, progress, waiting: this.#waiting.length, claimed: this.#leases.filter(({ held }) => held).length };
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
