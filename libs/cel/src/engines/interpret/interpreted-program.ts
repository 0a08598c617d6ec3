import { Cancelled } from '#go';
import type { Evaluation, EvaluationLimits, NodeReadings, Program, Variables } from '../program.ts';
import { EvaluationPanic } from '../../values/errors.ts';
import { underToken } from '../../values/poll.ts';
import { CelError } from '../../values/value.ts';
import { CostLimitExceeded, Frame, FrameReadings } from './frame.ts';
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

  /** Evaluates and records what each node cost by itself; also how often it was evaluated, if the program was planned to be observed. */
  explain(variables: Variables, limits: EvaluationLimits): Evaluation & { readonly readings: NodeReadings } {
    const readings = new FrameReadings();
    return { ...this.#run(new Frame(variables, this.#slotCount, limits, readings), limits), readings };
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
