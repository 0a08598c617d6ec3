import { checkPathSegmentName, checkPathSegmentPrefix, childPath } from '#kube';
import type { FieldError, ObjectMetaRules, Status } from '#kube';
import type { JsonObject } from '#go';
import type { ObjectCost, ObjectWrite, PhaseTimings, SentIdentity, ValidationOptions, VerdictFindings } from '../verdict.ts';
import type { ReadUpdate } from './schema-reader/schema-reader.ts';
import type { ServedVersion } from './served-version.ts';
import { metadataOf } from './write/coerce-object.ts';
import { dedupOwnerReferences, finalizerWarnings, Warnings } from './write/warnings.ts';
import type { AdmissionAnswer, AdmittedWrite } from './write-admission.ts';
import { Polls } from './write/polls.ts';
import { ensureMetadata } from './write/prepare-object.ts';
import { sentIdentity } from './check-identity.ts';
import { claimsRevision, dropClusterFields } from './write/stored-object.ts';
import { ResourceCheck } from './write/validate-resource.ts';
import type { ResourceWrite } from './write/validate-resource.ts';

/** Answer to a write request that the server ends before it validates the object, with the Status in the answer. */
export interface EarlyAnswer {
  readonly kind: 'answered';
  readonly status: Status;
}

/** Object that was read from a create or update request, or the answer that ends the request before validation. */
export type ReadObject = { readonly kind: 'read'; readonly object: JsonObject } | EarlyAnswer;

/** Errors that validation found, and the object's name for the Status that reports these errors. */
interface Invalid {
  readonly kind: 'invalid';
  readonly errors: readonly FieldError[];
  readonly name: string;
}

/** Result of a successful write: the object in the form in which the server stores it. */
interface Stored {
  readonly kind: 'stored';
  readonly object: JsonObject;
}

/**
 * Result of a create or update request: the object to store, the validation errors, or the answer that ended the request before validation.
 */
export type WriteOutcome = Stored | Invalid | EarlyAnswer;

/** Returns the outcome of a create or update that ends before validation and is answered with `status`. */
export const earlyAnswer = (status: Status): EarlyAnswer => ({ kind: 'answered', status });

/** Field path of an object's metadata. */
export const METADATA = childPath(undefined, 'metadata');

/** Maximum number of notes about one request. A rule of a list may cause one for each element. */
const MAX_HINTS = 20;

/** State of one create or update request while it passes through the server's steps: the request, and the findings so far. */
export class WriteRequest {
  readonly version: ServedVersion;
  readonly write: ObjectWrite;
  readonly options: ValidationOptions;
  readonly warnings = new Warnings();
  readonly #hints = new Set<string>();
  #cost: ObjectCost = { cel: undefined };
  #sent: SentIdentity = {};
  #takenOff = false;
  #ordinary: ReadUpdate | undefined;
  readonly #phases: { -readonly [Phase in keyof PhaseTimings]: number };

  constructor(version: ServedVersion, write: ObjectWrite, options: ValidationOptions) {
    this.version = version;
    this.write = write;
    this.options = options;
    this.#phases = { parse: write.yaml?.ms ?? 0, prune: 0, openapi: 0, lists: 0, cel: 0 };
  }

  /**
   * Findings that every verdict contains: warnings and cost. They include the time of each phase in ms if the options request times and no
   * generated reader accepted the object.
   */
  get findings(): VerdictFindings {
    const found = {
      warnings: this.warnings.texts,
      cost: this.#cost,
      sent: this.#sent,
      ...(this.#takenOff && { takenOff: true }),
      ...(this.#hints.size > 0 && { hints: [...this.#hints] }),
    };
    // A generated reader accepts an object in a single pass, so there are no times of single phases.
    return this.options.timings === true && this.#ordinary === undefined ? { ...found, phases: this.#phases } : found;
  }

  /** Rules for the metadata of this version's objects. */
  get metadataRules(): ObjectMetaRules {
    const { namespaced, wording } = this.version;
    return { namespaced, checkName: checkPathSegmentName, checkPrefix: checkPathSegmentPrefix, wording };
  }

  /** Runs a step and adds its time to a phase. Times are measured only if the options request them. */
  timed<Result>(phase: keyof PhaseTimings, step: () => Result): Result {
    if (this.options.timings !== true) return step();
    const start = performance.now();
    const result = step();
    this.#phases[phase] += performance.now() - start;
    return result;
  }

  /**
   * Continues an update with the new object that a generated reader accepted in a single pass. The checks against the old object follow in
   * `validate`.
   */
  takeOrdinary(ordinary: ReadUpdate): ReadObject {
    this.#ordinary = ordinary;
    this.#sent = ordinary.sent;
    return { kind: 'read', object: ordinary.object };
  }

  /** Validates the resource: schema, list types, embedded resources and rules. */
  validate(resource: ResourceWrite): FieldError[] {
    const check = new ResourceCheck(this.version, {
      options: this.options,
      polls: new Polls(this.options.token),
      warn: (text) => this.warnings.add(text),
      note: (text) => this.#note(text),
      timed: (phase, run) => this.timed(phase, run),
    });
    try {
      if (this.#ordinary !== undefined && check.accepts(resource, this.#ordinary)) return [];
      this.#ordinary = undefined;
      return check.validate(resource);
    } finally {
      this.#cost = check.cost;
    }
  }

  #note(text: string): void {
    if (this.#hints.size < MAX_HINTS) this.#hints.add(text);
  }

  /** Records the name and namespace of the sent object. Verdicts contain them even if the write is rejected before validation. */
  noteIdentity(object: JsonObject): void {
    this.#sent = sentIdentity(metadataOf(object));
  }

  /**
   * Removes the resourceVersion from the metadata of a create if the write's option `ownedFields` allows this. Other server-owned fields
   * need no removal, because they do not prevent a create.
   */
  takeOffRevision(metadata: JsonObject): void {
    if (this.write.ownedFields !== 'takenOff' || !claimsRevision(metadata['resourceVersion'])) return;
    delete metadata['resourceVersion'];
    this.#takenOff = true;
  }

  /** Runs mutating admission. Returns the object with which the write continues, or the answer that ends it. */
  mutate(object: JsonObject, oldObject: JsonObject | undefined): ReadObject {
    const { admission } = this.options;
    if (admission === undefined) return { kind: 'read', object };
    const answer = this.#admitted(admission.mutate(this.#admittedWrite(object, oldObject)));
    return answer.refusal === undefined ? { kind: 'read', object: answer.object } : earlyAnswer(answer.refusal);
  }

  /** Runs validating admission on the object that is to be stored. Returns the stored object, or the answer that ends the write. */
  admit(object: JsonObject, oldObject: JsonObject | undefined): WriteOutcome {
    const refusal =
      this.options.admission && this.#admitted(this.options.admission.validate(this.#admittedWrite(object, oldObject))).refusal;
    return refusal === undefined ? { kind: 'stored', object: this.stored(object) } : earlyAnswer(refusal);
  }

  #admittedWrite(object: JsonObject, oldObject: JsonObject | undefined): AdmittedWrite {
    const { operation, subresource } = this.write;
    return { operation, subresource, object, oldObject };
  }

  #admitted<Answer extends AdmissionAnswer>(answer: Answer): Answer {
    for (const text of answer.warnings) this.warnings.add(text);
    return answer;
  }

  /** Removes duplicate owner references, and adds a warning if there were any. */
  dedupOwners(metadata: JsonObject): void {
    const warning = dedupOwnerReferences(metadata);
    if (warning !== undefined) this.warnings.add(warning);
  }

  /** Adds warnings about finalizers that a write adds and that have no domain or are no qualified names. */
  warnOfFinalizers(now: readonly string[], before: readonly string[]): void {
    for (const text of finalizerWarnings(now, before, this.version.wording)) this.warnings.add(text);
  }

  /** Returns the object in its stored form, without the fields that only a cluster can set. */
  stored(object: JsonObject): JsonObject {
    dropClusterFields(ensureMetadata(object));
    return object;
  }
}
