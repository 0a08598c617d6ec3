import { Cancelled } from '#kube';
import type { Evaluation, EvaluationLimits, Program, Variables } from '../program.ts';
import { EvaluationPanic } from '../runtime/errors.ts';
import { underToken } from '../runtime/poll.ts';
import { CelError } from '../runtime/value.ts';
import { CostLimitExceeded, Frame } from './frame.ts';
import type { Node } from './node.ts';

/** A program that walks its tree of nodes. */
export class InterpretedProgram implements Program {
  readonly engine = 'interpreted';
  readonly #root: Node;
  readonly #slotCount: number;
  constructor(root: Node, slotCount: number) {
    this.#root = root;
    this.#slotCount = slotCount;
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#run(new Frame(variables, this.#slotCount, limits), limits);
  }

  /** Evaluates and records what each node, by id, cost by itself. */
  explain(variables: Variables, limits: EvaluationLimits): Evaluation & { readonly costs: ReadonlyMap<number, number> } {
    const costs = new Map<number, number>();
    return { ...this.#run(new Frame(variables, this.#slotCount, limits, costs), limits), costs };
  }

  #run(frame: Frame, limits: EvaluationLimits): Evaluation {
    try {
      const value = underToken(limits.token, () => this.#root.eval(frame));
      return { value, cost: frame.cost };
    } catch (thrown) {
      if (thrown instanceof CostLimitExceeded) return { value: new CelError(thrown.message, true), cost: frame.cost };
      if (thrown instanceof Cancelled) return { value: new CelError('operation interrupted', true), cost: frame.cost };
      if (thrown instanceof EvaluationPanic) return { value: new CelError(`internal error: ${thrown.message}`), cost: frame.cost };
      throw thrown;
    }
  }
}
