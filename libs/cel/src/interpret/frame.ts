import { Cancelled } from '#kube';
import type { CancellationToken } from '#kube';
import type { EvaluationLimits, Variables } from '../program.ts';
import type { CelValue } from '../runtime/value.ts';

/** Thrown to unwind an evaluation whose cost passed its limit; caught where the evaluation began. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Comprehension steps between two looks at the cancellation token. Source: k8s.io/apiserver/pkg/apis/cel/config.go `CheckFrequency`. */
const STEPS_PER_POLL = 100;

/** The state of one evaluation: variables, locals of comprehensions, and the cost so far. */
export class Frame {
  readonly variables: Variables;
  /** Values of comprehension variables; undefined where an accumulator has not been read yet. */
  readonly slots: (CelValue | undefined)[];
  /** Own cost of each node by id, where someone wants to know. */
  readonly costs: Map<number, number> | undefined;
  cost = 0;
  readonly #limit: number;
  readonly #token: CancellationToken | undefined;
  #steps = 0;

  constructor(variables: Variables, slotCount: number, limits: EvaluationLimits, costs?: Map<number, number>) {
    this.variables = variables;
    this.slots = new Array<CelValue | undefined>(slotCount).fill(undefined);
    this.#limit = limits.costLimit;
    this.#token = limits.token;
    this.costs = costs;
  }

  /** Adds what a step of the node costs, and stops the evaluation when the limit is passed. */
  charge(units: number, node: number): void {
    this.cost += units;
    if (this.costs !== undefined) this.costs.set(node, (this.costs.get(node) ?? 0) + units);
    if (this.cost > this.#limit) throw new CostLimitExceeded();
  }

  /** Called once per comprehension step. */
  poll(): void {
    if (this.#token !== undefined && ++this.#steps % STEPS_PER_POLL === 0 && this.#token.cancelled) throw new Cancelled();
  }
}
