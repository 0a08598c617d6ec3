import {
  badRequestStatus,
  Cancelled,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  childPath,
  conflictStatus,
  groupOf,
  internalErrorStatus,
  invalidStatus,
  newJsonObject,
  notFoundStatus,
  notSupported,
  readObjectMeta,
  storageErrorStatus,
  validateObjectMeta,
  validateObjectMetaUpdate,
  versionOf,
  wordedErrors,
} from '#kube';
import type { FieldError, GroupKind, JsonObject, JsonValue, Status } from '#kube';
import type { CompiledDefinition } from './compile-definition.ts';
import type { ServedVersion } from './served-version.ts';
import type { ObjectCost, ObjectVerdict, ObjectWrite, Phases, ValidationOptions } from './verdict.ts';
import { storedNumbers } from './schema/stored-numbers.ts';
import { coerceObject, metadataOf } from './write/coerce-object.ts';
import { copyJson } from './write/copy-json.ts';
import { acceptBody, cannotHandle, decodeBody, duplicateError, strictWarnings } from './write/decode-body.ts';
import { dedupOwnerReferences } from './write/dedup-owners.ts';
import { finalizerWarnings } from './write/finalizer-warnings.ts';
import { Polls } from './write/polls.ts';
import { ensureMetadata, generatedName, keepStatusAndCount, keepSystemFields, setOrDelete, withStatus } from './write/prepare-object.ts';
import {
  badRevisionStatus,
  claimsRevision,
  dropClusterFields,
  isOtherRevision,
  OPTIMISTIC_LOCK,
  otherUid,
  REVISION_ON_CREATE,
  STORED_REVISION,
} from './write/stored-object.ts';
import { ResourceCheck } from './write/validate-resource.ts';
import type { ResourceWrite } from './write/validate-resource.ts';
import { Warnings } from './write/warnings.ts';

/** Values of fieldValidation; the empty one means the default. */
const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/** Unwinds a write that is answered before or instead of validation; caught in `validateObject`. */
class Answered extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/** Judges one write of an object of a compiled definition. */
export function validateObject(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): ObjectVerdict {
  const name = write.version ?? definition.storageVersion;
  const served = definition.serve(name);
  if (served === undefined) {
    const status = notFoundStatus({ group: definition.group, resource: definition.plural }, '');
    return { accepted: false, status, errors: [], warnings: [], cost: { cel: undefined } };
  }
  if (!served.ok) return unjudgeable(served.error);
  const request = new WriteRequest(served.version, write, options);
  try {
    return request.judge();
  } catch (error) {
    if (error instanceof Cancelled) return { cancelled: true };
    // Go's stack is larger than ours: an object nested thousands deep may be beyond us.
    if (error instanceof RangeError) return unjudgeable('the object is nested too deeply to be judged');
    throw error;
  }
}

function unjudgeable(why: string): ObjectVerdict {
  return { accepted: false, status: internalErrorStatus(why), errors: [], warnings: [], cost: { cel: undefined } };
}

/** One write on its way through the server's steps, in their order. */
class WriteRequest {
  private readonly version: ServedVersion;
  private readonly write: ObjectWrite;
  private readonly options: ValidationOptions;
  private readonly warnings = new Warnings();
  private cost: ObjectCost = { cel: undefined };
  private readonly phases = { parse: 0, prune: 0, openapi: 0, lists: 0, cel: 0 };

  constructor(version: ServedVersion, write: ObjectWrite, options: ValidationOptions) {
    this.version = version;
    this.write = write;
    this.options = options;
  }

  judge(): ObjectVerdict {
    let errors: readonly FieldError[] = [];
    try {
      if (this.version.deprecation !== undefined) this.warnings.add(this.version.deprecation);
      const { operation, subresource, fieldValidation } = this.write;
      if (!FIELD_VALIDATIONS.includes(fieldValidation)) return this.refuseOptions(fieldValidation);
      const object = this.read();
      const outcome = operation === 'CREATE' ? this.create(object) : this.update(object, subresource === 'status');
      if ('object' in outcome) {
        // The write succeeds, but its answer cannot be written: an untyped object with `items` is taken for a list.
        if (Array.isArray(outcome.object['items'])) throw new Answered(storageErrorStatus(NO_LIST));
        return { accepted: true, object: outcome.object, ...this.findings() };
      }
      errors = outcome.errors;
      const of = this.kindSent(object);
      return {
        accepted: false,
        status: invalidStatus(of, outcome.name, wordedErrors(errors, this.version.minor)),
        errors,
        ...this.findings(),
      };
    } catch (error) {
      if (error instanceof Answered) return { accepted: false, status: error.status, errors, ...this.findings() };
      throw error;
    }
  }

  /** The kind that the object says it is: a refusal names it, also where it is the wrong one. Source: registry/rest/create.go (1.37). */
  private kindSent(object: JsonObject): GroupKind {
    const { apiVersion, kind } = object;
    const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : '';
    return { group, kind: typeof kind === 'string' ? kind : this.version.kind };
  }

  /** 422: the request's own options are wrong. */
  private refuseOptions(fieldValidation: string): ObjectVerdict {
    const errors = [notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS)];
    const kind = this.write.operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions';
    return { accepted: false, status: invalidStatus({ group: 'meta.k8s.io', kind }, '', errors), errors, ...this.findings() };
  }

  private findings(): { warnings: readonly string[]; cost: ObjectCost; phases?: Phases } {
    const found = { warnings: this.warnings.texts, cost: this.cost };
    return this.options.timings === true ? { ...found, phases: this.phases } : found;
  }

  private timed<T>(phase: keyof Phases, run: () => T): T {
    if (this.options.timings !== true) return run();
    const start = performance.now();
    const result = run();
    this.phases[phase] += performance.now() - start;
    return result;
  }

  /** Decoding, coercion and defaults, with the fuss about unknown and duplicate fields. */
  private read(): JsonObject {
    const { body, contentType, fieldValidation } = this.write;
    const { version } = this;
    const reading = this.timed('parse', () =>
      typeof body === 'string' || body instanceof Uint8Array
        ? decodeBody(body, contentType, version, true, this.options.token, fieldValidation === 'Ignore')
        : acceptBody(copyJson(body), version),
    );
    if (!reading.ok) throw new Answered(reading.status);
    const { object } = reading;
    const coerced = this.timed('prune', () => coerceObject(object, version, 'request'));
    if (!coerced.ok) throw new Answered(cannotHandle(object, version, coerced.error));
    const strict = [...reading.strictErrors, ...reading.duplicates.map(duplicateError)];
    strict.push(...coerced.unknownFields.map((field) => `unknown field "${field}"`));
    if (fieldValidation === 'Strict' && strict.length > 0) {
      // What was read strictly is what the object is then taken for. Source: apiserver handlers/rest.go `transformDecodeError` (1.37).
      const { kind, apiVersion: sent } = object;
      if (versionOf(typeof sent === 'string' ? sent : '') === '')
        throw new Answered(badRequestStatus("Object 'apiVersion' is missing in 'object has no apiVersion field'"));
      throw new Answered(cannotHandle(object, { kind: String(kind) }, `strict decoding error: ${strict.join(', ')}`));
    }
    if (fieldValidation !== 'Ignore') for (const text of strictWarnings(strict)) this.warnings.add(text);
    const apiVersion = object['apiVersion'];
    if (apiVersion !== version.apiVersion) {
      const found = typeof apiVersion === 'string' ? apiVersion.replace(/^\//, '') : '';
      throw new Answered(
        badRequestStatus(`the API version in the data (${found}) does not match the expected API version (${version.apiVersion})`),
      );
    }
    return object;
  }

  private dedupOwners(metadata: JsonObject): void {
    const warning = dedupOwnerReferences(metadata);
    if (warning !== undefined) this.warnings.add(warning);
  }

  private create(object: JsonObject): Outcome {
    const { version } = this;
    const metadata = ensureMetadata(object);
    for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields']) {
      delete metadata[field];
    }
    const generateName = metadata['generateName'];
    if (metadata['name'] === undefined && typeof generateName === 'string') metadata['name'] = generatedName(generateName);
    if (version.namespaced) metadata['namespace'] ??= 'default';
    else delete metadata['namespace'];
    if (version.hasStatus) delete object['status'];
    metadata['generation'] = 1;
    this.dedupOwners(metadata);
    const meta = readObjectMeta(metadata);
    const errors = this.validate({ object, old: undefined, meta, update: undefined });
    if (errors.length > 0) return { errors, name: meta.name };
    const generic = validateObjectMeta(meta, this.genericRules(), METADATA);
    if (generic.length > 0) return { errors: generic, name: meta.name };
    for (const text of finalizerWarnings(meta.finalizers, [], version.wording)) this.warnings.add(text);
    if (claimsRevision(meta.resourceVersion)) throw new Answered(storageErrorStatus(REVISION_ON_CREATE));
    return { object: this.stored(object) };
  }

  private update(object: JsonObject, statusOnly: boolean): Outcome {
    const { version } = this;
    const { old, unreadable } = this.readOld(object);
    const oldMetadata = metadataOf(old) as JsonObject;
    const metadata = ensureMetadata(object);
    this.checkName(metadata, oldMetadata);
    if (unreadable !== undefined) throw new Answered(storageErrorStatus(unreadable));
    this.checkIdentity(metadata, oldMetadata);
    delete metadata['selfLink'];
    this.dedupOwners(metadata);
    if (version.namespaced) metadata['namespace'] ??= oldMetadata['namespace'] as JsonValue;
    else delete metadata['namespace'];
    setOrDelete(metadata, 'generation', oldMetadata['generation']);
    const updated = statusOnly ? withStatus(old, object) : object;
    if (!statusOnly) keepStatusAndCount(updated, old, version.hasStatus);
    const newMetadata = ensureMetadata(updated);
    delete newMetadata['managedFields'];
    keepSystemFields(newMetadata, oldMetadata);
    const meta = readObjectMeta(newMetadata);
    const oldMeta = readObjectMeta(oldMetadata);
    const errors = [
      ...validateObjectMeta(meta, this.genericRules(), METADATA),
      ...validateObjectMetaUpdate(meta, oldMeta, this.genericRules(), METADATA),
      ...this.validate({ object: updated, old, meta, update: { oldMeta, statusOnly } }),
    ];
    if (errors.length > 0) return { errors, name: meta.name };
    if (!statusOnly) for (const text of finalizerWarnings(meta.finalizers, oldMeta.finalizers, version.wording)) this.warnings.add(text);
    return { object: this.stored(updated) };
  }

  /** The stored object as the server reads it, and why it cannot be read. */
  private readOld(object: JsonObject): { readonly old: JsonObject; readonly unreadable: string | undefined } {
    const { version, write } = this;
    const old = storedNumbers(write.oldObject ?? newJsonObject()) as JsonObject;
    old['apiVersion'] ??= version.apiVersion;
    old['kind'] ??= version.kind;
    const metadata = ensureMetadata(old);
    const sent = metadataOf(object);
    const name = sent?.['name'];
    metadata['name'] ??= typeof name === 'string' ? name : 'test';
    if (version.namespaced) {
      const namespace = sent?.['namespace'];
      metadata['namespace'] ??= typeof namespace === 'string' ? namespace : 'default';
    }
    const coerced = coerceObject(old, version, 'storage');
    ensureMetadata(old)['resourceVersion'] = STORED_REVISION;
    return { old, unreadable: coerced.ok ? undefined : coerced.error };
  }

  /** Name and namespace must be those of the request. */
  private checkName(metadata: JsonObject, oldMetadata: JsonObject): void {
    const { version } = this;
    const name = String(oldMetadata['name']);
    const sent = metadata['name'];
    if (sent === undefined) {
      throw new Answered(badRequestStatus(`the name of the object (${name} based on URL) was undeterminable: name must be provided`));
    }
    if (sent !== name)
      throw new Answered(badRequestStatus(`the name of the object (${String(sent)}) does not match the name on the URL (${name})`));
    const namespace = metadata['namespace'];
    if (version.namespaced && namespace !== undefined && namespace !== oldMetadata['namespace']) {
      throw new Answered(badRequestStatus('the namespace of the provided object does not match the namespace sent on the request'));
    }
  }

  /** uid and resourceVersion must be those of the stored object, where they are given. */
  private checkIdentity(metadata: JsonObject, oldMetadata: JsonObject): void {
    const { version } = this;
    const name = String(oldMetadata['name']);
    const of = { group: version.group, resource: version.plural };
    const uid = metadata['uid'];
    if (uid !== undefined && oldMetadata['uid'] !== undefined && uid !== oldMetadata['uid']) {
      const place = `/${version.group}/${version.plural}/${version.namespaced ? `${String(oldMetadata['namespace'])}/` : ''}${name}`;
      throw new Answered(conflictStatus(of, name, otherUid(place, String(uid), String(oldMetadata['uid']))));
    }
    const revision = metadata['resourceVersion'] ?? STORED_REVISION;
    if (typeof revision !== 'string' || !/^\d+$/.test(revision)) throw new Answered(badRevisionStatus(String(revision)));
    if (isOtherRevision(revision)) throw new Answered(conflictStatus(of, name, OPTIMISTIC_LOCK));
    metadata['resourceVersion'] = STORED_REVISION;
  }

  private genericRules() {
    const { namespaced, wording } = this.version;
    return { namespaced, checkName: checkPathSegmentName, checkPrefix: checkPathSegmentPrefix, wording };
  }

  private validate(write: ResourceWrite): FieldError[] {
    const check = new ResourceCheck(this.version, {
      options: this.options,
      polls: new Polls(this.options.token),
      warn: (text) => this.warnings.add(text),
      timed: (phase, run) => this.timed(phase, run),
    });
    try {
      return check.validate(write);
    } finally {
      this.cost = check.cost;
    }
  }

  /** The object as handed to storage, without what only a cluster can know. */
  private stored(object: JsonObject): JsonObject {
    dropClusterFields(ensureMetadata(object));
    return object;
  }
}

/** What a write comes to after validation. */
type Outcome = { readonly object: JsonObject } | { readonly errors: readonly FieldError[]; readonly name: string };

const METADATA = childPath(undefined, 'metadata');
/** Source: k8s.io/apimachinery/pkg/api/meta/help.go `GetItemsPtr` (1.37). */
const NO_LIST = '*unstructured.Unstructured is not a list: no Items field in this object';
