import { packItems } from '#runner';
import type { ExpressionReport } from '#runner';
import type { DefinitionText, DocumentSlice, EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import type { Engine } from '../ports.ts';

/** Expression to evaluate in the environment of a definition, such as a draft of a rule, or alone. */
export interface Expression {
  /** Definition whose objects the expression reads as `self`. For an expression without `self`, the Kubernetes minor version. */
  readonly definition: DefinitionText | Minor;
  readonly expression: string;
  /** Version of the definition's schema; undefined selects the storage version. */
  readonly version: string | undefined;
  /** Path of the schema to which `self` refers, such as `spec.rules[0]`; empty for the whole object. */
  readonly path: string;
  /** Options under which the object would be judged, if the answer contains a trace; see `ExpressionWork` of `#runner`. */
  readonly tracedUnder?: EvaluationOptions | undefined;
}

/**
 * Returns the type and the cost estimate of an expression at a given path of a definition's schema. If `object` is given, also returns the
 * value and the actual cost for that object. Without a definition, also returns the value and cost of the expression alone. Returns an
 * error if the evaluation was stopped or broke the engine.
 */
export async function answerExpression(
  engine: Engine,
  expression: Expression,
  object: DocumentSlice | undefined,
): Promise<ExpressionReport> {
  const answer = await engine.run({ kind: 'expression', ...expression, item: object && packItems([object]) });
  if (answer.kind === 'done') return answer.result;
  return {
    ok: false,
    error: answer.kind === 'cancelled' ? 'the evaluation was stopped' : 'the expression ended the engine that evaluated it',
  };
}
