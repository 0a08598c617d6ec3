import { isJsonObject, sortedKeys, writeJson } from '#go';
import { versionOf } from '#kube';
import { readSlice } from '#evaluation';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { FieldError } from '#kube';
import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import type { Cause, DocumentSlice, EvaluationOptions, FieldChange, ObjectEffect } from '#evaluation';

/** Differences shown of one object; the rest is only counted by the effect. */
const SHOWN_CHANGES = 20;
type Judged = Exclude<ObjectVerdict, { cancelled: true }>;

/**
 * Judges a stored object under the old and the new definition: would it still be created, does an unchanged write of it pass, and is it
 * stored as before? Undefined when stopped; throws `Cancelled` when that was while it was read.
 */
export function objectEffect(
  slice: DocumentSlice,
  index: number,
  from: CompiledDefinition,
  to: CompiledDefinition,
  options: EvaluationOptions,
  token: CancellationToken,
): ObjectEffect | undefined {
  const reading = readSlice(slice, token);
  const nothing = { index, causes: [], changes: [], cost: { before: undefined, after: undefined } };
  if (!reading.ok || !isJsonObject(reading.value))
    return { ...nothing, name: undefined, effect: 'notJudged', message: reading.ok ? 'not an object' : reading.error };
  const object = reading.value;
  const name = nameOf(object);
  const apiVersion = String(object['apiVersion']);
  const version = versionOf(apiVersion);
  if (object['kind'] !== to.kind || !apiVersion.startsWith(`${to.group}/`) || !to.versions.includes(version)) {
    return { ...nothing, name, effect: 'notJudged', message: `it is not a ${to.kind} of ${to.group} in a version of the new definition` };
  }
  const write = (definition: CompiledDefinition, oldObject?: JsonObject): ObjectVerdict =>
    validateObject(
      definition,
      {
        operation: oldObject ? 'UPDATE' : 'CREATE',
        body: object,
        ...(oldObject && { oldObject }),
        fieldValidation: options.fieldValidation,
        version,
      },
      { token },
    );
  const before = from.versions.includes(version) ? write(from) : undefined;
  const created = write(to);
  if ((before && 'cancelled' in before) || 'cancelled' in created) return undefined;
  const stored = before?.accepted ? before.object : object;
  const updated = write(to, stored);
  if ('cancelled' in updated) return undefined;
  const changes = before?.accepted && updated.accepted ? changesBetween(before.object, updated.object) : [];
  const refusal = updated.accepted ? created : updated;
  return {
    index,
    name,
    effect: effectOf(before, created, updated, changes),
    ...(!refusal.accepted && { message: refusal.status.message }),
    causes: refusal.accepted ? [] : refusal.errors.map(causeOf),
    changes: changes.slice(0, SHOWN_CHANGES),
    cost: { before: before?.cost.cel, after: updated.cost.cel },
  };
}

function effectOf(before: Judged | undefined, created: Judged, updated: Judged, changes: readonly FieldChange[]): ObjectEffect['effect'] {
  if (before && !before.accepted && !created.accepted) return 'invalidBefore';
  if (!updated.accepted) return 'brokenOnUpdate';
  if (!created.accepted) return 'savedByRatcheting';
  return changes.length > 0 ? 'storedDifferently' : 'unaffected';
}

/** Indexes and keys are taken out, so that the same complaint about many elements is one cause. */
function causeOf({ type, field, detail }: FieldError): Cause {
  return { field: field.replace(/\[[^\]]*\]/g, '[*]'), reason: type, message: detail.replace(/\[\d+\]/g, '[*]') };
}

function nameOf(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Places where two stored objects differ; server-made metadata aside. */
function changesBetween(before: JsonObject, after: JsonObject): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, '');
  return changes;

  function compare(left: JsonValue | undefined, right: JsonValue | undefined, path: string): void {
    if (path === 'metadata.generation') return;
    if (isJsonObject(left) && isJsonObject(right)) {
      for (const key of new Set([...sortedKeys(left), ...sortedKeys(right)]))
        compare(left[key], right[key], path === '' ? key : `${path}.${key}`);
    } else if (Array.isArray(left) && Array.isArray(right)) {
      for (let i = 0; i < Math.max(left.length, right.length); i++) compare(left[i], right[i], `${path}[${i}]`);
    } else {
      const [was, is] = [textOf(left), textOf(right)];
      if (was !== is) changes.push({ path, before: was, after: is });
    }
  }
}

const textOf = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : writeJson(value));
