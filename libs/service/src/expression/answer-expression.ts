import { packItems } from '#runner';
import type { ExpressionReport } from '#runner';
import type { DefinitionText, DocumentSlice } from '#evaluation';
import type { Engine } from '../ports.ts';

/** An expression over a definition, such as a draft of a rule. */
export interface Expression {
  readonly definition: DefinitionText;
  readonly expression: string;
  /** Default: the version that is stored. */
  readonly version: string | undefined;
  /** The path of `self`, such as `spec.rules[0]`; empty for the whole object. */
  readonly path: string;
}

/**
 * Type, estimate, and in an object also value and cost of an expression that would stand at a place of a definition's schema. Stopped, or where it took the
 * engine down, the answer says so.
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
