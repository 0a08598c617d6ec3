import type { EngineChoice } from '#cel';
import { applyPatches } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { defaultGates } from '#kube';
import type { Minor, Server } from '#kube';

/** The surroundings of a judge of cases. */
export interface CaseContext extends Server {
  /** The document in a file of the corpora, as JSON; throws `CaseProblem` when there is none. */
  readonly loadDocument: (file: string) => JsonValue;
  /** Engine that evaluates rules. Default: the interpreter. */
  readonly engine: EngineChoice | undefined;
}

/** Returns the context of cases that name no file: with the minor's default gates, and with interpreted rules. */
export function defaultContext(minor: Minor): CaseContext {
  return { minor, gates: defaultGates(minor), engine: undefined, loadDocument: () => null };
}

/** A case that cannot be judged as posed; answered with `oracleError`. */
export class CaseProblem extends Error {}

/** The uid of everything that is stored before a case. */
export const OBJECT_UID = '00000000-0000-4000-8000-000000000001';

/** The resourceVersion of everything that is stored before a case: a write may name it, another one conflicts. */
export const STORED_REVISION = '1000';

/** Returns a string field of a case; absent ones are undefined. */
export function textField(test: JsonObject, field: string): string | undefined {
  const value = test[field];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a number field of a case. */
export function numberField(test: JsonObject, field: string): number | undefined {
  const value = test[field];
  return typeof value === 'number' ? value : undefined;
}

/** Returns the CRD of a case, inline or from a file, patched. */
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
