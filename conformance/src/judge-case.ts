import type { JsonObject, Minor } from '#kube';
import { judgeExpression } from './cel/expression-case.ts';
import type { VerdictObject } from './canonical-text.ts';

/** What judges need beside the case. */
export interface JudgeSettings {
  readonly minor: Minor;
  /** Folder that `crdFile` and `oldCrdFile` are relative to. */
  readonly crdFolder: string;
}

/** Judges one case of the oracle's protocol. */
export type Judge = (testCase: JsonObject, settings: JudgeSettings) => VerdictObject;

/** The protocol's kinds and who judges them. */
export const JUDGES: Readonly<Record<string, Judge>> = { expr: judgeExpression };

/** Judges a case; one of an unknown kind, or one that breaks its judge, gets an error of its own. */
export function judgeCase(testCase: JsonObject, settings: JudgeSettings): VerdictObject {
  const { id, kind } = testCase;
  const judge = typeof kind === 'string' ? JUDGES[kind] : undefined;
  if (!judge) return { id, oracleError: 'not implemented' };
  try {
    return { id, ...judge(testCase, settings) };
  } catch (error) {
    return { id, oracleError: `internal: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` };
  }
}
