import { EvaluationContext } from '../../values/evaluation-context.ts';
import type { Semantics } from '../../values/semantics.ts';
import type { CelValue } from '../../values/value.ts';
import type { EvaluationLimits, NodeReadings, Variables } from '../program.ts';

/**
 * Node of the tree that the interpreter evaluates. The evaluation of a node charges its cost. The kinds of nodes follow upstream. Source:
 * cel-go interpreter/interpretable.go (v0.29.2).
 */
export interface Node {
  /** Id of the expression node from which the node was planned. */
  readonly id: number;
  eval(frame: Frame): CelValue;
}

/** Literal, or result of constant folding (evaluation at compile time). Its evaluation costs nothing. */
export class ConstantNode implements Node {
  readonly id: number;
  readonly value: CelValue;
  constructor(id: number, value: CelValue) {
    this.id = id;
    this.value = value;
  }
  eval(): CelValue {
    return this.value;
  }
}

/**
 * Error that ends an evaluation whose cost exceeds the cost limit. The `Program` object that runs the evaluation catches it and returns a
 * CEL error.
 */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Largest cost, which is 2^64 - 1, rounded to a double. */
const MAX_COST = 2 ** 64;

/**
 * Values recorded during an evaluation, by id of the expression's node. The values are the cost and the number of evaluations of each node,
 * and the number of elements in the range of each comprehension.
 */
export class FrameReadings implements NodeReadings {
  readonly costs = new Map<number, number>();
  readonly evaluations = new Map<number, number>();
  readonly elements = new Map<number, number>();
}

/**
 * State of one evaluation: variables, iteration variables and accumulators of comprehensions, the cost so far, and the context that
 * functions use.
 */
export class Frame extends EvaluationContext {
  readonly variables: Variables;
  /** Values of iteration variables and accumulators of comprehensions, by slot. An accumulator is undefined until it is first read. */
  readonly slots: (CelValue | undefined)[];
  /** Recorded costs, numbers of evaluations and numbers of elements of the expression's nodes. Undefined if the caller does not request them. */
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

  /** Adds cost units that a node spent. Throws if the cost limit is exceeded. */
  charge(units: number, node: number): void {
    this.cost += units;
    if (this.readings !== undefined) add(this.readings.costs, node, units);
    if (this.cost > this.#limit) throw new CostLimitExceeded();
  }

  /**
   * Subtracts one cost unit. If the cost is 0, it becomes the largest number, which always exceeds the limit: upstream counts in uint64.
   */
  refund(node: number): void {
    if (this.cost === 0) this.cost = MAX_COST;
    this.charge(-1, node);
  }

  /** Counts one evaluation of a node. Only programs that were planned with the option `observed` call this method. */
  note(node: number): void {
    if (this.readings !== undefined) add(this.readings.evaluations, node, 1);
  }

  /** Adds the number of elements in the range (list or map) of a comprehension to the number that is recorded for its node. */
  noteRange(node: number, size: number): void {
    if (this.readings !== undefined) add(this.readings.elements, node, size);
  }
}

function add(sums: Map<number, number>, node: number, more: number): void {
  sums.set(node, (sums.get(node) ?? 0) + more);
}
