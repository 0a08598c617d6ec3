import type { JsonObject } from '#go';
import { Unreadable } from '#policy';
import { CaseProblem } from './case-context.ts';
import type { CaseContext } from './case-context.ts';
import { judgeExpression } from './cel/expression-case.ts';
import { judgeDefinitionCase } from './definition-case.ts';
import { judgeObjectCase } from './object-case.ts';
import { judgeAdmitCase } from './policy/admit-case.ts';
import { judgeCompileCase } from './policy/compile-case.ts';
import { isPolicyCase } from './policy/compare-policy-verdicts.ts';
import { judgePolicyExpression } from './policy/expression-case.ts';
import { judgeMutateCase } from './policy/mutate-case.ts';
import { judgeTypecheckCase } from './policy/typecheck-case.ts';
import { judgeWebhookCase } from './policy/webhook-case.ts';
import { judgeValueCase } from './value-case.ts';
import type { VerdictObject } from './canonical-text.ts';

/** Function that computes the verdict on one case of the oracle's protocol. */
export type Judge = (testCase: JsonObject, context: CaseContext) => VerdictObject;

/** Functions that compute the verdicts on cases of the protocol, by kind of case. */
const JUDGES: Readonly<Record<string, Judge>> = {
  admit: judgeAdmitCase,
  compile: judgeCompileCase,
  crd: judgeDefinitionCase,
  crdUpdate: judgeDefinitionCase,
  expr: (testCase, context) => (isPolicyCase(testCase) ? judgePolicyExpression : judgeExpression)(testCase, context),
  mutate: judgeMutateCase,
  object: judgeObjectCase,
  objectUpdate: judgeObjectCase,
  statusUpdate: judgeObjectCase,
  typecheck: judgeTypecheckCase,
  value: judgeValueCase,
  webhook: judgeWebhookCase,
};

/** Computes the verdict on a case. If the kind of the case is unknown, or the computation throws, the answer contains an `oracleError`. */
export function judgeCase(testCase: JsonObject, context: CaseContext): VerdictObject {
  const { id, kind } = testCase;
  const judge = typeof kind === 'string' ? JUDGES[kind] : undefined;
  if (!judge) return { id, oracleError: 'not implemented' };
  try {
    return { id, ...judge(testCase, context) };
  } catch (error) {
    if (error instanceof CaseProblem || error instanceof Unreadable) return { id, oracleError: error.message };
    return { id, oracleError: `internal: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` };
  }
}
