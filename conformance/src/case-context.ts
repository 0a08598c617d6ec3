import type { EngineChoice } from '#cel';
import { applyPatches } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { defaultGates } from '#kube';
import type { Minor, Server } from '#kube';

/** Context in which the verdicts on cases are computed: the server, the documents to which cases refer, and the engine. */
export interface CaseContext extends Server {
  /** Returns the document in a file of the corpora as JSON. Throws `CaseProblem` if there is no such file. */
  readonly loadDocument: (file: string) => JsonValue;
  /** Engine that evaluates rules; undefined for the interpreter. */
  readonly engine: EngineChoice | undefined;
}

/**
 * Returns the context for cases that refer to no file. It has the default feature gates of the minor version, and rules are interpreted.
 */
export function defaultContext(minor: Minor): CaseContext {
  return { minor, gates: defaultGates(minor), engine: undefined, loadDocument: () => null };
}

/**
 * Error of a case on which no verdict can be computed, for example because the case lacks a field. The answer to such a case has the field
 * `oracleError`.
 */
export class CaseProblem extends Error {}

/** `uid` of every object and definition that is stored before a case. */
export const OBJECT_UID = '00000000-0000-4000-8000-000000000001';

/** `resourceVersion` of everything that is stored before a case. A write may contain it; a write with another value conflicts. */
export const STORED_REVISION = '1000';

/** Returns a string field of a case; undefined if it is absent or not a string. */
export function textField(test: JsonObject, field: string): string | undefined {
  const value = test[field];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a number field of a case; undefined if it is absent or not a number. */
export function numberField(test: JsonObject, field: string): number | undefined {
  const value = test[field];
  return typeof value === 'number' ? value : undefined;
}

/**
 * Returns the CRD of a case with its patches applied. The CRD is given in the field `inline` or as a file name in the field `file`, and the
 * patches in the field `patches`.
 */
export function definitionDocument(
  test: JsonObject,
  context: CaseContext,
  inline = 'crd',
  file = 'crdFile',
  patches = 'crdPatches',
): JsonValue {
  const path = textField(test, file);
  const document = test[inline] ?? (path === undefined || path === '' ? undefined : context.loadDocument(path));
  if (document === undefined) throw new CaseProblem('the case has no CRD');
  const list = test[patches];
  if (list === undefined || list === null) return document;
  const result = applyPatches(document, list);
  if (!result.ok) throw new CaseProblem(result.error);
  return result.document;
}
