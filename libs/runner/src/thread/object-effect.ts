import { Cancelled, isJsonObject, writeJson } from '#go';
import { fieldErrorBody, noMatchStatus, pathNotFoundStatus, versionOf } from '#kube';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { FieldError } from '#kube';
import { breakingEdit, findingKey, frozenFields, objectCauses } from '#crd';
import type { CompiledDefinition, Edit, ObjectVerdict } from '#crd';
import type { Cause, DocumentSlice, EvaluationOptions, FieldChange, ObjectEffect } from '#documents';
import { changesBetween } from './field-changes.ts';
import { appliedFile, FollowingWrites } from './following-writes.ts';
import { readSlice } from '#documents';
import { readRecord } from './recorded-write.ts';

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

type Found = Omit<ObjectEffect, 'index' | 'name' | 'cost'>;
const UNAFFECTED: Found = { effect: 'unaffected', causes: [], changes: [] };
/** Effects that harm an object, the most harmful first. */
const HARM: readonly ObjectEffect['effect'][] = ['brokenOnUpdate', 'breaksOnNextChange', 'savedByRatcheting'];

/**
 * Returns the effect of a definition change on a stored object. Judges every write that can follow. Also computes if the object would be
 * stored as under the old definition. Returns undefined if the evaluation is stopped. Throws `Cancelled` if it is stopped while the object
 * is read.
 */
export function objectEffect(
  slice: DocumentSlice,
  index: number,
  change: CompiledChange,
  token: CancellationToken,
): ObjectEffect | undefined {
  const unjudged = { index, causes: [], changes: [], cost: { before: undefined, after: undefined } };
  const reading = readStoredObject(slice, token);
  if (!reading.ok) return { ...unjudged, name: undefined, effect: 'notJudged', message: reading.problem };
  const { object, isRecord } = reading;
  const name = nameOf(object);
  const { from, to } = change;
  const apiVersion = String(object['apiVersion']);
  if (object['kind'] !== to.kind || !apiVersion.startsWith(`${to.group}/`))
    return { ...unjudged, name, effect: 'notJudged', message: `it is not a ${to.kind} of ${to.group}` };
  const version = versionOf(apiVersion);
  if (!to.versions.includes(version)) return { ...unjudged, name, ...unserved(apiVersion, to.kind, from.versions.includes(version)) };
  try {
    const { becauseOf, ...effect } = new StoredObjectJudge(object, version, change, token).effect();
    // A recorded write may differ from the writes that were compared, so it gets no cause.
    return { index, name, ...effect, ...(becauseOf && !isRecord && { becauseOf }) };
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

/** Returns the effect on an object in a version that the new definition does not serve. `wasServed` is true if the old definition does. */
function unserved(apiVersion: string, kind: string, wasServed: boolean): Found {
  const { message, reason } = noMatchStatus(apiVersion, kind);
  const causes = [{ field: 'apiVersion', reason, message }];
  const found = { message, causes, fields: ['apiVersion'], changes: [] };
  return wasServed ? { effect: 'brokenOnUpdate', write: 'unchanged', ...found } : { effect: 'invalidBefore', ...found };
}

/** Verdicts on one object: on its creation, and on a write of the stored object that changes nothing. */
interface Answers {
  readonly created: Judged;
  readonly unchanged: Judged;
}

class StoredObjectJudge {
  readonly #file: JsonObject;
  readonly #version: string;
  readonly #change: CompiledChange;
  readonly #token: CancellationToken;
  /** Writes under the old definition; undefined if it does not serve the object's version. */
  readonly #from: FollowingWrites | undefined;
  readonly #to: FollowingWrites;

  constructor(file: JsonObject, version: string, change: CompiledChange, token: CancellationToken) {
    this.#file = file;
    this.#version = version;
    this.#change = change;
    this.#token = token;
    const { from, to } = change;
    this.#from = from.versions.includes(version) ? new FollowingWrites(from, version, token) : undefined;
    this.#to = new FollowingWrites(to, version, token);
  }

  /** Returns the most harmful effect on any write. Throws `Cancelled` if the evaluation is stopped. */
  effect(): Found & Pick<ObjectEffect, 'cost' | 'becauseOf'> {
    const before = this.#from && { created: this.#from.create(this.#file), unchanged: this.#from.unchanged(this.#file) };
    const stored = before?.unchanged.accepted ? before.unchanged.object : this.#file;
    const after: Answers = { created: this.#to.create(stored), unchanged: this.#to.unchanged(stored) };
    const cost = { before: before?.unchanged.cost.cel, after: after.unchanged.cost.cel };
    const found = [
      () => this.#ofObject(before, after, stored),
      () => this.#ofFile(stored),
      () => this.#ofStatus(stored),
      () => this.#ofScale(stored),
    ];
    let worst = UNAFFECTED;
    for (const judge of found) {
      const one = judge();
      if (one !== undefined && harmOf(one) < harmOf(worst))
        worst = { ...one, changes: worst.changes.length > 0 ? worst.changes : one.changes };
      if (worst.effect === 'brokenOnUpdate') break;
    }
    const becauseOf = before && this.#becauseOf(before, after);
    return { ...worst, cost, ...(becauseOf && becauseOf.length > 0 && { becauseOf }) };
  }

  /** Returns the differences between the two Kubernetes versions that explain different answers to the same writes. */
  #becauseOf(before: Answers, after: Answers): ObjectEffect['becauseOf'] {
    const { from, to } = this.#change;
    if (from.minor === to.minor) return undefined;
    const causes = (['created', 'unchanged'] as const).flatMap((write) =>
      objectCauses({ minor: from.minor, verdict: before[write] }, { minor: to.minor, verdict: after[write] }),
    );
    const byName = new Map(causes.map((cause) => [cause.name, cause]));
    return [...byName.values()].map(({ name, sentence, upstream }) => ({ name, sentence, ...(upstream !== undefined && { upstream }) }));
  }

  /** Returns the effect on writes of the whole object. */
  #ofObject(before: Answers | undefined, { created, unchanged }: Answers, stored: JsonObject): Found {
    if (!unchanged.accepted)
      return before?.unchanged.accepted === false
        ? refusal('invalidBefore', unchanged, unchanged.errors)
        : { ...refusal('brokenOnUpdate', unchanged, unchanged.errors), write: 'unchanged' };
    const changes = before?.unchanged.accepted ? changesBetween(before.unchanged.object, unchanged.object) : [];
    const shown = { changes: changes.slice(0, SHOWN_CHANGES) };
    if (!created.accepted) return { ...this.#kept(created, before?.created, stored), ...shown };
    if (before?.created.accepted === false) return { effect: 'mended', message: before.created.status.message, causes: [], ...shown };
    const frozen = this.#frozen(unchanged.object, changes);
    return { effect: changes.length > 0 ? 'storedDifferently' : 'unaffected', causes: [], ...shown, ...(frozen.length > 0 && { frozen }) };
  }

  /**
   * Returns the effect on `kubectl apply` of the file. Returns undefined if the file contains nothing that is not stored, or if the old
   * definition refuses the same.
   */
  #ofFile(stored: JsonObject): Found | undefined {
    const merged = appliedFile(this.#file, stored);
    if (merged === undefined) return undefined;
    const { fieldValidation } = this.#change.options;
    const applied = this.#to.apply(merged, stored, fieldValidation);
    const changes = changesBetween(stored, applied.accepted ? applied.object : merged);
    const shown = { changes: changes.slice(0, SHOWN_CHANGES) };
    if (applied.accepted) return changes.length === 0 ? undefined : { effect: 'storedDifferently', write: 'apply', causes: [], ...shown };
    const before = this.#from?.apply(merged, stored, fieldValidation);
    if (before?.accepted === false && before.status.message === applied.status.message) return undefined;
    const [nextChange] = changes;
    return { ...refusal('breaksOnNextChange', applied, applied.errors), write: 'apply', ...(nextChange && { nextChange }), changes: [] };
  }

  /** Returns the effect on writes of the status. Returns undefined if nothing is stored there, or if both definitions accept it alike. */
  #ofStatus(stored: JsonObject): Found | undefined {
    if (stored['status'] === undefined) return undefined;
    if (!this.#to.hasStatus) return this.#from?.hasStatus === true ? withoutSubresource('status') : undefined;
    const first = this.#to.firstStatus(stored);
    if (first.accepted) return undefined;
    const before = this.#from?.hasStatus === true ? this.#from.firstStatus(stored) : this.#from?.create(stored);
    const unchanged = this.#to.unchangedStatus(stored);
    const isOld = before?.accepted === false && first.errors.every((finding) => !notAmong(before)(finding));
    if (!unchanged.accepted && !isOld) return { ...refusal('brokenOnUpdate', unchanged, unchanged.errors), write: 'status' };
    return this.#kept(first, before, stored, 'status');
  }

  /** Returns the effect on writes of the scale. Returns undefined if they have the same result as before. */
  #ofScale(stored: JsonObject): Found | undefined {
    if (!this.#to.hasScale) return this.#from?.hasScale === true ? withoutSubresource('scale') : undefined;
    const refused = this.#to.refusedScale(stored);
    if (refused === undefined || this.#from?.refusedScale(stored) !== undefined) return undefined;
    const { edit, refusal: answer } = refused;
    return { ...refusal('breaksOnNextChange', answer, answer.errors), write: 'scale', nextChange: changeOf(edit) };
  }

  /**
   * Returns the fields that get a value only under the new definition, and that cannot be changed later because a transition rule rejects
   * it.
   */
  #frozen(stored: JsonObject, changes: Found['changes']): readonly string[] {
    const paths = changes.filter(({ before }) => before === undefined).map(({ path }) => path);
    return frozenFields(this.#change.to, stored, { fieldValidation: 'Ignore', version: this.#version }, { token: this.#token, paths });
  }

  /**
   * Returns the effect on a stored object that the new definition accepts only because of ratcheting. The effect states whether the object
   * stays accepted until its deletion, or only until its next edit. `before` is the verdict of the old definition on the same new value.
   */
  #kept(fresh: Refused, before: Judged | undefined, stored: JsonObject, subresource?: 'status'): Found {
    const findings = before === undefined || before.accepted ? fresh.errors : fresh.errors.filter(notAmong(before));
    if (before?.accepted === false && findings.length === 0) return refusal('invalidBefore', fresh, fresh.errors);
    const write = { fieldValidation: 'Ignore', version: this.#version, ...(subresource && { subresource }) };
    const breaking = breakingEdit(this.#change.to, { object: stored, write, findings }, { token: this.#token });
    if (breaking === 'cancelled') throw new Cancelled();
    if (breaking === undefined) return { ...refusal('savedByRatcheting', fresh, findings), write: subresource ?? 'create' };
    const { edit, refusal: answer, findings: broken } = breaking;
    return { ...refusal('breaksOnNextChange', answer, broken), write: subresource ?? 'update', nextChange: changeOf(edit) };
  }
}

/** Returns the rank of an effect; a lower rank is more harmful. An object that only one write stores differently ranks before no effect. */
const harmOf = ({ effect }: Found): number => {
  const rank = HARM.indexOf(effect);
  if (rank >= 0) return rank;
  return effect === 'unaffected' ? HARM.length + 1 : HARM.length;
};

/** Returns the effect on writes of a subresource that the new definition no longer has. A server answers that the path does not exist. */
function withoutSubresource(write: 'status' | 'scale'): Found {
  const { message, reason } = pathNotFoundStatus();
  return { effect: 'brokenOnUpdate', write, message, causes: [{ field: write, reason, message }], changes: [] };
}

const changeOf = ({ path, before, after }: Pick<Edit, 'path' | 'before' | 'after'>): FieldChange => ({
  path,
  before: textOf(before),
  after: textOf(after),
});

function refusal(effect: ObjectEffect['effect'], { status }: Refused, findings: readonly FieldError[]): Found {
  return { effect, message: status.message, causes: findings.map(causeOf), fields: findings.map(({ field }) => field), changes: [] };
}

function notAmong({ errors }: Refused): (finding: FieldError) => boolean {
  const known = new Set(errors.map(findingKey));
  return (finding) => !known.has(findingKey(finding));
}

/** Returns the cause of a field error. Replaces indexes and keys by `*`, so that the same error in many elements has one cause. */
function causeOf(error: FieldError): Cause {
  const { type, field, detail } = error;
  const words = detail === '' ? fieldErrorBody({ ...error, badValue: { kind: 'omitted' } }) : detail;
  return { field: field.replace(/\[[^\]]*\]/g, '[*]'), reason: type, message: words.replace(/\[\d+\]/g, '[*]') };
}

function nameOf(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

const textOf = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : writeJson(value));

/**
 * Result of reading a stored object: the object, or the problem that prevents reading it. If the document is the record of a write request,
 * the result contains the object that was written.
 */
type StoredReading =
  | { readonly ok: true; readonly object: JsonObject; readonly isRecord: boolean }
  | { readonly ok: false; readonly problem: string };

/** Reads a stored object. Throws `Cancelled` if the token requests cancellation. */
function readStoredObject(slice: DocumentSlice, token: CancellationToken): StoredReading {
  const reading = readSlice(slice, token);
  if (!reading.ok) return { ok: false, problem: reading.error };
  if (!isJsonObject(reading.value)) return { ok: false, problem: 'not an object' };
  const record = readRecord(reading.value);
  if (record === undefined) return { ok: true, object: reading.value, isRecord: false };
  return record.kind === 'write' ? { ok: true, object: record.write.object, isRecord: true } : { ok: false, problem: record.why };
}
