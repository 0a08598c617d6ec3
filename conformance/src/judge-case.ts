import type { JsonObject } from '#go';
import { CaseProblem } from './case-context.ts';
import type { CaseContext } from './case-context.ts';
import { judgeExpression } from './cel/expression-case.ts';
import { judgeDefinitionCase } from './definition-case.ts';
import { judgeObjectCase } from './object-case.ts';
import { judgeValueCase } from './value-case.ts';
import type { VerdictObject } from './canonical-text.ts';

/** Judges one case of the oracle's protocol. */
export type Judge = (testCase: JsonObject, context: CaseContext) => VerdictObject;

/** The protocol's kinds and who judges them. */
const JUDGES: Readonly<Record<string, Judge>> = {
  crd: judgeDefinitionCase,
  crdUpdate: judgeDefinitionCase,
  expr: judgeExpression,
  object: judgeObjectCase,
  objectUpdate: judgeObjectCase,
  statusUpdate: judgeObjectCase,
  value: judgeValueCase,
};

/** Judges a case; one of an unknown kind, or one that breaks its judge, gets an error of its own. */
export function judgeCase(testCase: JsonObject, context: CaseContext): VerdictObject {
  const { id, kind } = testCase;
  const judge = typeof kind === 'string' ? JUDGES[kind] : undefined;
  if (!judge) return { id, oracleError: 'not implemented' };
  try {
    return { id, ...judge(testCase, context) };
  } catch (error) {
    if (error instanceof CaseProblem) return { id, oracleError: error.message };
    return { id, oracleError: `internal: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` };
  }
}
