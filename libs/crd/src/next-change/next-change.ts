import { writeJson } from '#go';
import type { JsonObject } from '#go';
import type { FieldError } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';
import { editsBeside, otherValues } from './edits-beside.ts';
import type { Edit } from './edits-beside.ts';
import { locateValue, valueAt, withValue } from './locate-value.ts';

/** Stored object that is invalid. The server still accepts an update of the object if the update changes nothing. */
export interface KeptObject {
  /** Object in its stored form. */
  readonly object: JsonObject;
  /** Options of the writes to this object. Only edits of the status are tried if the subresource is `status`. */
  readonly write: Pick<ObjectWrite, 'fieldValidation' | 'version' | 'subresource'>;
  /** Errors that reject a create of the object, but not an unchanged update. */
  readonly findings: readonly FieldError[];
}

/** Edit that is rejected because of an invalid value that the edit itself does not change. */
export interface BreakingEdit {
  readonly edit: Omit<Edit, 'object'>;
  readonly findings: readonly FieldError[];
  /** Verdict with which the server rejects the edited object. */
  readonly refusal: Extract<ObjectVerdict, { accepted: false }>;
}

/** Maximum number of findings per object for which edits are tried. Only the first finding with each field path counts. */
const FINDINGS_TRIED = 10;
/** Maximum number of writes that are tried per object. */
const WRITES_TRIED = 30;

/**
 * Searches for an edit of a stored invalid object that the server rejects because of an invalid value that the edit does not change.
 * Without the edit, the server tolerates the value (ratcheting).
 *
 * Takes the findings (validation errors) in turn, and returns the nearest such edit for the first finding that has one. Computes the
 * verdict on each edit as the server would. Returns undefined if no tried edit is rejected because of a finding, or `cancelled` if the
 * token stopped the search.
 */
export function breakingEdit(
  definition: CompiledDefinition,
  kept: KeptObject,
  options: ValidationOptions,
): BreakingEdit | 'cancelled' | undefined {
  const { object, write, findings } = kept;
  const served = definition.serve(write.version ?? definition.storageVersion);
  if (!served?.ok) return undefined;
  const verdicts = new Map<string, ObjectVerdict>();
  const judge = (edit: Edit): ObjectVerdict | undefined => {
    const key = `${edit.path} ${writeJson(edit.after)}`;
    const known = verdicts.get(key);
    if (known !== undefined || verdicts.size >= WRITES_TRIED) return known;
    const verdict = validateObject(definition, { ...write, operation: 'UPDATE', body: edit.object, oldObject: object }, options);
    verdicts.set(key, verdict);
    return verdict;
  };
  for (const finding of onePerPlace(findings)) {
    for (const edits of editsBeside(object, finding.field, { schema: served.version.structural, subresource: write.subresource })) {
      const result = firstConclusive(edits, judge, finding, findings);
      if (result === 'cancelled') return result;
      if (result !== undefined) return result;
    }
  }
  return undefined;
}

/**
 * Returns the first edit that is rejected because of the finding. Edits that are rejected for other reasons are skipped. Returns undefined
 * if an earlier edit is accepted, if `judge` returns no verdict, or if there is no such edit. Returns `cancelled` if a verdict is
 * cancelled.
 */
function firstConclusive(
  edits: readonly Edit[],
  judge: (edit: Edit) => ObjectVerdict | undefined,
  finding: FieldError,
  findings: readonly FieldError[],
): BreakingEdit | 'cancelled' | undefined {
  for (const edit of edits) {
    const verdict = judge(edit);
    if (verdict === undefined) return undefined;
    if ('cancelled' in verdict) return 'cancelled';
    if (verdict.accepted) return undefined;
    const refused = new Set(verdict.errors.map(findingKey));
    if (!refused.has(findingKey(finding))) continue;
    const { object: _, ...shown } = edit;
    return { edit: shown, findings: findings.filter((one) => refused.has(findingKey(one))), refusal: verdict };
  }
  return undefined;
}

/** Returns a key that identifies a finding before and after an edit. */
export const findingKey = ({ type, field, detail }: FieldError): string => JSON.stringify([type, field, detail]);

/**
 * Reduces findings to the first finding with each type and field, at most `FINDINGS_TRIED` findings. List indices are ignored, because many
 * items often have the same finding.
 */
function onePerPlace(findings: readonly FieldError[]): FieldError[] {
  const places = new Map<string, FieldError>();
  for (const finding of findings) {
    const place = `${finding.type} ${finding.field.replace(/\[\d+\]/g, '[*]')}`;
    if (!places.has(place)) places.set(place, finding);
  }
  return [...places.values()].slice(0, FINDINGS_TRIED);
}

/** Maximum number of fields of one object that `frozenFields` tries to change. */
const FIELDS_TRIED = 5;

/**
 * Returns the paths of fields that an update apparently cannot change. Tries other values for the first `FIELDS_TRIED` of `paths`. A field
 * is returned if the server accepts some of these values in a create, but none of the accepted values in an update.
 */
export function frozenFields(
  definition: CompiledDefinition,
  object: JsonObject,
  write: Pick<ObjectWrite, 'fieldValidation' | 'version'>,
  { paths, ...options }: ValidationOptions & { readonly paths: readonly string[] },
): readonly string[] {
  const judge = (changed: JsonObject, before: Pick<ObjectWrite, 'operation' | 'oldObject' | 'ownedFields'>): ObjectVerdict =>
    validateObject(definition, { ...write, ...before, body: changed }, options);
  return paths.slice(0, FIELDS_TRIED).filter((path) => {
    const { steps, whole } = locateValue(object, path);
    if (!whole || steps.length === 0) return false;
    const edits = otherValues(valueAt(object, steps), undefined).map((other) => withValue(object, steps, other) as JsonObject);
    const possible = edits.filter((edit) => isAccepted(judge(edit, { operation: 'CREATE', ownedFields: 'takenOff' })));
    return possible.length > 0 && possible.every((edit) => !isAccepted(judge(edit, { operation: 'UPDATE', oldObject: object })));
  });
}

const isAccepted = (verdict: ObjectVerdict): boolean => 'accepted' in verdict && verdict.accepted;
