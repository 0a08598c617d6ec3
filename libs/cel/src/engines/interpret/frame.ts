import type { EvaluationLimits, NodeReadings, Variables } from '../program.ts';
import { EvaluationContext } from '../../values/evaluation-context.ts';
import type { Semantics } from '../../values/semantics.ts';
import type { CelValue } from '../../values/value.ts';

/** Thrown to unwind an evaluation whose cost passed its limit; caught where the evaluation began. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** 2^64 - 1 as a double has it. */
const LARGEST_COST = 2 ** 64;

/** The readings of each node during an evaluation. */
export class FrameReadings implements NodeReadings {
  readonly costs = new Map<number, number>();
  readonly evaluations = new Map<number, number>();
  readonly elements = new Map<number, number>();
}

/** The state of one evaluation: variables, locals of comprehensions, the cost so far, and what functions ask about it. */
export class Frame extends EvaluationContext {
  readonly variables: Variables;
  /** Values of comprehension variables; undefined where an accumulator has not been read yet. */
  readonly slots: (CelValue | undefined)[];
  /** Readings per node, if a caller wants them. */
  readonly readings: FrameReadings | undefined;
  cost = 0;
  readonly #limit: number;

  constructor(semantics: Semantics, variables: Variables, slotCount: number, limits: EvaluationLimits, readings?: FrameReadings) {
    super(semantics, limits.token);
    this.variables = variables;
    this.slots = new Array<CelValue | undefined>(slotCount).fill(undefined);
    this.#limit = limits.costLimit;
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

  /** Counts the elements of a comprehension's range. */
  noteRange(node: number, size: number): void {
    if (this.readings !== undefined) add(this.readings.elements, node, size);
  }
}

function add(sums: Map<number, number>, node: number, more: number): void {
  sums.set(node, (sums.get(node) ?? 0) + more);
}
