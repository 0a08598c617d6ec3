import { Cancelled } from '#go';
import type { Evaluation, EvaluationLimits, NodeReadings, Program, Variables } from '../program.ts';
import { CelError, EvaluationPanic } from '../../values/value.ts';
import type { Semantics } from '../../values/semantics.ts';
import { CostLimitExceeded, Frame, FrameReadings } from './node.ts';
import type { Node } from './node.ts';

/** A program that evaluates an expression as a tree of nodes, without generated code. */
export class InterpretedProgram implements Program {
  readonly engine = 'interpreted';
  readonly #root: Node;
  readonly #slotCount: number;
  readonly #semantics: Semantics;
  constructor(root: Node, slotCount: number, semantics: Semantics) {
    this.#root = root;
    this.#slotCount = slotCount;
    this.#semantics = semantics;
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#run(new Frame(this.#semantics, variables, this.#slotCount, limits));
  }

  /**
   * Evaluates the expression and records the cost of each node without its children. If the program was planned with the option `observed`,
   * the number of evaluations of each node is recorded, too.
   */
  explain(variables: Variables, limits: EvaluationLimits): Evaluation & { readonly readings: NodeReadings } {
    const readings = new FrameReadings();
    return { ...this.#run(new Frame(this.#semantics, variables, this.#slotCount, limits, readings)), readings };
  }

  #run(frame: Frame): Evaluation {
    try {
      return { value: this.#root.eval(frame), cost: frame.cost };
    } catch (thrown) {
      if (thrown instanceof CostLimitExceeded) return { value: new CelError(thrown.message, 'costLimitExceeded'), cost: frame.cost };
      if (thrown instanceof Cancelled) return { value: new CelError('operation interrupted', 'interrupted'), cost: frame.cost };
      if (thrown instanceof EvaluationPanic) return { value: new CelError(`internal error: ${thrown.message}`), cost: frame.cost };
      throw thrown;
    }
  }
}
