import { compileExpression, compileProgram, declareType, EMPTY_SCHEMA, environmentFor, typeText } from '#cel';
import type { EngineChoice } from '#cel';
import type { CancellationToken } from '#go';
import type { Minor } from '#kube';
import type { ExpressionAnswer } from './evaluate-expression.ts';
import { TracedEvaluation } from './traced-evaluation.ts';

/** Expression that is evaluated without a definition. */
export interface BareExpression {
  readonly expression: string;
  /** Kubernetes minor version whose libraries and costs are used. */
  readonly minor: Minor;
  readonly engine: EngineChoice | undefined;
  readonly token: CancellationToken;
  /** True if the answer also contains the engines that evaluate the expression. */
  readonly traces?: boolean;
}

const WORDS = { compile: 'compilation failed: ', resultType: () => '', program: 'program instantiation failed: ' } as const;

/**
 * Evaluates an expression that reads no object: it has the libraries of a rule, but neither `self` nor `oldSelf`. Throws `Cancelled` if the
 * token is cancelled.
 */
export function evaluateBareExpression({ expression, minor, engine, token, traces }: BareExpression): ExpressionAnswer {
  const environment = environmentFor(minor, 'new');
  const compiled = compileProgram(expression, { variables: new Map(), environment, results: undefined, messages: WORDS, engine });
  if (!compiled.ok) return { ok: false, error: compiled.error };
  const self = declareType({ ...EMPTY_SCHEMA, type: 'object' }, false, minor);
  // Only a rule has an estimate, so the expression is estimated as a rule that does not read its object.
  const rule = self && compileExpression(expression, { self, oldSelf: 'plain', environment, expect: 'any', engine });
  const evaluation = new TracedEvaluation(compiled.program);
  const result = evaluation.run({}, { token, ...(traces === true && { traces }) });
  return {
    ok: true,
    type: typeText(compiled.outputType, environment.semantics),
    estimate: String(rule?.ok === true ? rule.maxCost : 0n),
    result,
    ...(traces === true && { trace: evaluation.trace }),
  };
}
