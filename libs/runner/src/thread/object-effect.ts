import { isJsonObject, writeJson } from '#go';
import { versionOf } from '#kube';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { FieldError } from '#kube';
import { breakingEdit, findingKey, frozenFields, validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict, ObjectWrite } from '#crd';
import type { Cause, DocumentSlice, EvaluationOptions, ObjectEffect } from '#evaluation';
import { changesBetween } from './field-changes.ts';
import { readStoredObject } from './read-stored-object.ts';

/** Maximum number of differences that are shown for one object. All differences influence the effect. */
const SHOWN_CHANGES = 20;
type Judged = Exclude<ObjectVerdict, { cancelled: true }>;
type Refused = Extract<Judged, { accepted: false }>;

/** Old and new compiled definition that are compared for a stored object, and the options of the evaluation. */
export interface CompiledChange {
  readonly from: CompiledDefinition;
  readonly to: CompiledDefinition;
  readonly options: EvaluationOptions;
}

/** Verdicts of the old and the new definition on one object: on its creation, and on an update that does not change the stored object. */
interface Answers {
  /** Verdicts of the old definition; undefined if the old definition does not have the object's version. */
  readonly before: { readonly created: Judged; readonly updated: Judged } | undefined;
  readonly created: Judged;
  readonly updated: Judged;
  /** Object in the form in which it is stored under the old definition. */
  readonly stored: JsonObject;
}

/**
 * Returns the effect of a definition change on a stored object. Computes if the new definition accepts three requests: an update without
 * changes, an edit that leaves an invalid value unchanged, and a creation. Also computes if the object would be stored as under the old
 * definition. Returns undefined if the evaluation is stopped. Throws `Cancelled` if it is stopped while the object is read.
 */
export function objectEffect(
  slice: DocumentSlice,
  index: number,
  change: CompiledChange,
  token: CancellationToken,
): ObjectEffect | undefined {
  const nothing = { index, causes: [], changes: [], cost: { before: undefined, after: undefined } };
  const reading = readStoredObject(slice, token);
  if (!reading.ok) return { ...nothing, name: undefined, effect: 'notJudged', message: reading.problem };
  const { object } = reading;
  const name = nameOf(object);
  const { to } = change;
  const apiVersion = String(object['apiVersion']);
  const version = versionOf(apiVersion);
  if (object['kind'] !== to.kind || !apiVersion.startsWith(`${to.group}/`) || !to.versions.includes(version)) {
    return { ...nothing, name, effect: 'notJudged', message: `it is not a ${to.kind} of ${to.group} in a version of the new definition` };
  }
  const judge = new StoredObjectJudge(object, version, change, token);
  const answers = judge.answers();
  const found = answers && judge.effectOf(answers);
  if (answers === undefined || found === undefined) return undefined;
  return { index, name, ...found, cost: { before: answers.before?.updated.cost.cel, after: answers.updated.cost.cel } };
}

type Found = Omit<ObjectEffect, 'index' | 'name' | 'cost'>;

class StoredObjectJudge {
  readonly #object: JsonObject;
  readonly #version: string;
  readonly #change: CompiledChange;
  readonly #token: CancellationToken;

  constructor(object: JsonObject, version: string, change: CompiledChange, token: CancellationToken) {
    this.#object = object;
    this.#version = version;
    this.#change = change;
    this.#token = token;
  }

  /** Returns the verdicts of both definitions, or undefined if the evaluation is stopped. */
  answers(): Answers | undefined {
    const { from, to } = this.#change;
    const known = from.versions.includes(this.#version);
    const [createdBefore, updatedBefore] = known ? [this.#create(from), this.#update(from, this.#object)] : [];
    if (isStopped(createdBefore) || isStopped(updatedBefore)) return undefined;
    const before = createdBefore && updatedBefore && { created: createdBefore, updated: updatedBefore };
    const stored = before?.updated.accepted ? before.updated.object : this.#object;
    const [created, updated] = [this.#create(to), this.#update(to, stored)];
    return isStopped(created) || isStopped(updated) ? undefined : { before, created, updated, stored };
  }

  /** Returns the effect of the change of the definition on the object, or undefined if the evaluation of an edit is stopped. */
  effectOf({ before, created, updated, stored }: Answers): Found | undefined {
    if (!updated.accepted) return refusal(before && !before.updated.accepted ? 'invalidBefore' : 'brokenOnUpdate', updated, updated.errors);
    const changes = before?.updated.accepted ? changesBetween(before.updated.object, updated.object) : [];
    const shown = { changes: changes.slice(0, SHOWN_CHANGES) };
    if (!created.accepted) {
      const isNew = before === undefined || before.created.accepted ? () => true : notAmong(before.created);
      const findings = created.errors.filter(isNew);
      const isOld = before?.created.accepted === false && findings.length === 0;
      return isOld ? { ...refusal('invalidBefore', created, created.errors), ...shown } : this.#kept(created, findings, stored, shown);
    }
    if (before?.created.accepted === false) return { effect: 'mended', message: before.created.status.message, causes: [], ...shown };
    const frozen = this.#frozen(updated.object, changes);
    return { effect: changes.length > 0 ? 'storedDifferently' : 'unaffected', causes: [], ...shown, ...(frozen.length > 0 && { frozen }) };
  }

  /**
   * Returns the fields that get a value only under the new definition, and that cannot be changed later because a transition rule rejects
   * it.
   */
  #frozen(stored: JsonObject, changes: Found['changes']): readonly string[] {
    const paths = changes.filter(({ before }) => before === undefined).map(({ path }) => path);
    const { fieldValidation } = this.#change.options;
    return frozenFields(this.#change.to, stored, { fieldValidation, version: this.#version }, { token: this.#token, paths });
  }

  /**
   * Returns the effect on an object that the new definition accepts only because of ratcheting. The effect states whether the object stays
   * accepted until its deletion, or only until its next edit. Returns undefined if the evaluation is stopped.
   */
  #kept(created: Refused, findings: readonly FieldError[], stored: JsonObject, shown: Pick<Found, 'changes'>): Found | undefined {
    const { fieldValidation } = this.#change.options;
    const kept = { object: stored, write: { fieldValidation, version: this.#version }, findings };
    const breaking = breakingEdit(this.#change.to, kept, { token: this.#token });
    if (breaking === 'cancelled') return undefined;
    if (breaking === undefined) return { ...refusal('savedByRatcheting', created, findings), ...shown };
    const { edit, refusal: answer, findings: broken } = breaking;
    const nextChange = { path: edit.path, before: textOf(edit.before), after: textOf(edit.after) };
    return { ...refusal('breaksOnNextChange', answer, broken), nextChange, ...shown };
  }

  #create(definition: CompiledDefinition): ObjectVerdict {
    return this.#judge(definition, { operation: 'CREATE', ownedFields: 'takenOff' });
  }

  #update(definition: CompiledDefinition, oldObject: JsonObject): ObjectVerdict {
    return this.#judge(definition, { operation: 'UPDATE', oldObject });
  }

  #judge(definition: CompiledDefinition, write: Pick<ObjectWrite, 'operation' | 'oldObject' | 'ownedFields'>): ObjectVerdict {
    const { fieldValidation } = this.#change.options;
    const whole = { ...write, body: this.#object, fieldValidation, version: this.#version };
    return validateObject(definition, whole, { token: this.#token });
  }
}

const isStopped = (verdict: ObjectVerdict | undefined): verdict is { readonly cancelled: true } =>
  verdict !== undefined && 'cancelled' in verdict;

function refusal(effect: ObjectEffect['effect'], { status }: Refused, findings: readonly FieldError[]): Found {
  return { effect, message: status.message, causes: findings.map(causeOf), fields: findings.map(({ field }) => field), changes: [] };
}

function notAmong({ errors }: Refused): (finding: FieldError) => boolean {
  const known = new Set(errors.map(findingKey));
  return (finding) => !known.has(findingKey(finding));
}

/** Returns the cause of a field error. Replaces indexes and keys by `*`, so that the same error in many elements has one cause. */
function causeOf({ type, field, detail }: FieldError): Cause {
  return { field: field.replace(/\[[^\]]*\]/g, '[*]'), reason: type, message: detail.replace(/\[\d+\]/g, '[*]') };
}

function nameOf(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

const textOf = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : writeJson(value));
