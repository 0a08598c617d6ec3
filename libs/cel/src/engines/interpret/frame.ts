import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import type { EvaluationLimits, NodeReadings, Variables } from '../program.ts';
import type { CelValue } from '../../values/value.ts';

/** Thrown to unwind an evaluation whose cost passed its limit; caught where the evaluation began. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** 2^64 - 1 as a double has it. */
const LARGEST_COST = 2 ** 64;

/** Comprehension steps between two looks at the cancellation token. Source: k8s.io/apiserver/pkg/apis/cel/config.go `CheckFrequency`. */
const STEPS_PER_POLL = 100;

/** What is noted of each node while an evaluation runs. */
export class FrameReadings implements NodeReadings {
  readonly costs = new Map<number, number>();
  readonly evaluations = new Map<number, number>();
}

/** The state of one evaluation: variables, locals of comprehensions, and the cost so far. */
export class Frame {
  readonly variables: Variables;
  /** Values of comprehension variables; undefined where an accumulator has not been read yet. */
  readonly slots: (CelValue | undefined)[];
  /** Where someone wants to know what each node does. */
  readonly readings: FrameReadings | undefined;
  cost = 0;
  readonly #limit: number;
  readonly #token: CancellationToken | undefined;
  #steps = 0;

  constructor(variables: Variables, slotCount: number, limits: EvaluationLimits, readings?: FrameReadings) {
    this.variables = variables;
    this.slots = new Array<CelValue | undefined>(slotCount).fill(undefined);
    this.#limit = limits.costLimit;
    this.#token = limits.token;
    this.readings = readings;
  }

  /** Adds what a step of the node costs, and stops the evaluation when the limit is passed. */
  charge(units: number, node: number): void {
    this.cost += units;
    if (this.readings !== undefined) add(this.readings.costs, node, units);
    if (this.cost > this.#limit) throw new CostLimitExceeded();
  }

  /** Takes a unit back. Upstream counts in uint64: below zero lies the largest number, which passes any limit. */
  refund(node: number): void {
    if (this.cost === 0) this.cost = LARGEST_COST;
    this.charge(-1, node);
  }

  /** Counts an evaluation of a node; only programs that are planned to be observed say so. */
  note(node: number): void {
    if (this.readings !== undefined) add(this.readings.evaluations, node, 1);
  }

  /** Called once per comprehension step. */
  poll(): void {
    if (this.#token !== undefined && ++this.#steps % STEPS_PER_POLL === 0 && this.#token.cancelled) throw new Cancelled();
  }
}

function add(sums: Map<number, number>, node: number, more: number): void {
  sums.set(node, (sums.get(node) ?? 0) + more);
}
