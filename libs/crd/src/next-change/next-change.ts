import { writeJson } from '#go';
import type { JsonObject } from '#go';
import type { FieldError } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';
import { editsBeside } from './edits-beside.ts';
import type { Edit } from './edits-beside.ts';

/** A stored object that is invalid and kept all the same. */
export interface KeptObject {
  /** As stored. */
  readonly object: JsonObject;
  /** The options of the write. */
  readonly write: Pick<ObjectWrite, 'fieldValidation' | 'version'>;
  /** Findings that refuse a create of the object but not an unchanged write. */
  readonly findings: readonly FieldError[];
}

/** An edit that does not touch what is invalid, and is refused for it. */
export interface BreakingEdit {
  readonly edit: Omit<Edit, 'object'>;
  readonly findings: readonly FieldError[];
  /** The server's refusal of the edited object. */
  readonly refusal: Extract<ObjectVerdict, { accepted: false }>;
}

/** Findings of one object whose surroundings are tried: the first of each place. */
const FINDINGS_TRIED = 10;
/** Writes of one object that are tried. */
const WRITES_TRIED = 30;

/**
 * Finds an edit after which the server no longer keeps an invalid value that the edit does not touch. It returns the
 * nearest edit for the first finding that has such an edit. It judges each edit as the server would. Undefined if all
 * findings survive all edits; `cancelled` if the token stopped the search.
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
    for (const edits of editsBeside(object, finding.field, served.version.structural)) {
      const result = firstConclusive(edits, judge, finding, findings);
      if (result === 'cancelled') return result;
      if (result !== undefined) return result;
    }
  }
  return undefined;
}

/**
 * Returns the first edit that is refused for the finding. Undefined if an edit before it is accepted. It skips edits
 * that are refused for other reasons.
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

/** Returns a key that is equal for the same finding before and after an edit. */
export const findingKey = ({ type, field, detail }: FieldError): string => JSON.stringify([type, field, detail]);

/** Returns the first finding of each kind and field if many items of a list have the same one. */
function onePerPlace(findings: readonly FieldError[]): FieldError[] {
  const places = new Map<string, FieldError>();
  for (const finding of findings) {
    const place = `${finding.type} ${finding.field.replace(/\[\d+\]/g, '[*]')}`;
    if (!places.has(place)) places.set(place, finding);
  }
  return [...places.values()].slice(0, FINDINGS_TRIED);
}
