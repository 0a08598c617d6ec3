import {
  checkDns1123Subdomain,
  childPath,
  invalid,
  OBJECT_BUDGET,
  PER_CALL_LIMIT,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '#kube';
import type { JsonObject } from '#go';
import type { FieldError, ObjectMeta } from '#kube';
import { Correlation } from '../correlate.ts';
import { showsScalars } from '../../minors/validation-behaviour.ts';
import { evaluateRules } from '../../rules/evaluate-rules.ts';
import type { ReadUpdate } from '../schema-reader/schema-reader.ts';
import type { RulesResult } from '../../rules/node-evaluation.ts';
import type { ServedVersion } from '../served-version.ts';
import type { ObjectCost, PhaseTimings, ValidationOptions } from '../../verdict.ts';
import { validateEmbedded } from './embedded.ts';
import { validateListTypes } from './list-types.ts';
import type { Polls } from './polls.ts';
import { validateScaleSpec, validateScaleStatus } from './scale.ts';

/** Types of schema errors after which the rules of the object are not evaluated. */
const BLOCKING: ReadonlySet<string> = new Set(
  'FieldValueNotSupported FieldValueRequired FieldValueTooLong FieldValueTooMany FieldValueTypeInvalid'.split(' '),
);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const METADATA = childPath(undefined, 'metadata');

/** Inputs of the validation of an object that exist only if the request is an update. */
export interface Update {
  readonly oldMeta: ObjectMeta;
  readonly statusOnly: boolean;
  /** Name of a top-level field outside metadata that is known to differ from the old object. Undefined if no such field is known. */
  readonly changed: string | undefined;
}

/** Object that is ready to be stored, the old object that it replaces, and inputs for their validation. */
export interface ResourceWrite {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly meta: ObjectMeta;
  readonly update: Update | undefined;
}

/** Options for the validation of one custom resource, and callbacks that poll for cancellation, report warnings and measure times. */
export interface ResourceContext {
  readonly options: ValidationOptions;
  readonly polls: Polls;
  readonly warn: (text: string) => void;
  /** Reports a note about the rules in the words of Assay. */
  readonly note: (text: string) => void;
  readonly timed: <T>(phase: keyof PhaseTimings, run: () => T) => T;
}

/** Validator of one custom resource. It checks metadata, the schema, the scale subresource, embedded resources, list types and rules. */
export class ResourceCheck {
  cost: ObjectCost = { cel: undefined };
  readonly #version: ServedVersion;
  readonly #context: ResourceContext;

  constructor(version: ServedVersion, context: ResourceContext) {
    this.#version = version;
    this.#context = context;
  }

  /**
   * Runs the validation of the custom resource strategy and returns its errors. Source: apiextensions-apiserver
   * pkg/registry/customresource/strategy.go, status_strategy.go (1.37).
   */
  validate({ object, old, meta, update }: ResourceWrite): FieldError[] {
    const version = this.#version;
    const ratchets = old !== undefined && (update?.statusOnly === true ? version.status.ratchets : version.ratchets);
    const correlation = ratchets ? new Correlation(object, old, version.structural) : undefined;
    if (update?.changed !== undefined) correlation?.field(update.changed)?.noteDifference();
    const errors = this.#typeMetaErrors(object);
    // If the kind or version is wrong, Kubernetes skips only the validation against the type, and still makes the other checks.
    if (errors.length === 0) this.#validateTyped(object, meta, update, correlation, errors);
    if (update?.statusOnly !== true && version.holdsEmbedded) {
      errors.push(...validateEmbedded(undefined, object, version.structural, version.wording));
    }
    if (version.holdsListTypes) this.#context.timed('lists', () => this.#validateListTypes(object, old, errors));
    this.#validateRules(object, old, correlation, errors);
    return errors;
  }

  /**
   * Returns true if the update is valid. The caller must already know that the new object satisfies the schema and its rules. The method
   * checks metadata, the scale subresource, and the transition from the old object. If the result is false, the update may still be valid.
   */
  accepts({ object, old, meta, update }: ResourceWrite, read: ReadUpdate): boolean {
    const errors: FieldError[] = [];
    if (old === undefined) return false;
    this.#validateMeta(meta, update, errors);
    this.#validateScale(object, update, errors);
    const cost = errors.length === 0 ? read.judge(object, old) : undefined;
    if (cost === undefined) return false;
    this.cost = { cel: cost };
    return true;
  }

  /**
   * Reports duplicate items in lists of the new object. Reports nothing if the old object already had duplicates, even if they differ from
   * the new duplicates.
   */
  #validateListTypes(object: JsonObject, old: JsonObject | undefined, errors: FieldError[]): void {
    const { structural } = this.#version;
    const { polls } = this.#context;
    const found = validateListTypes(object, structural, polls);
    if (found.length > 0 && (old === undefined || validateListTypes(old, structural, polls).length === 0)) errors.push(...found);
  }

  #typeMetaErrors(object: JsonObject): FieldError[] {
    const { kind, apiVersion } = this.#version;
    const errors: FieldError[] = [];
    if (object['kind'] !== kind) errors.push(invalid(childPath(undefined, 'kind'), object['kind'] ?? '', `must be ${kind}`));
    if (object['apiVersion'] !== apiVersion) {
      errors.push(invalid(childPath(undefined, 'apiVersion'), object['apiVersion'] ?? '', `must be ${apiVersion}`));
    }
    return errors;
  }

  #validateTyped(
    object: JsonObject,
    meta: ObjectMeta,
    update: Update | undefined,
    correlation: Correlation | undefined,
    errors: FieldError[],
  ): void {
    const version = this.#version;
    const { polls } = this.#context;
    this.#validateMeta(meta, update, errors);
    this.#context.timed('openapi', () => {
      if (update?.statusOnly !== true) {
        errors.push(...version.openapi.validate(object, { correlation, polls }));
        return;
      }
      const status = object['status'];
      if (status === undefined || version.statusOpenapi === undefined) return;
      const { base } = version.status;
      // A null status counts as unchanged, even if there was no status before.
      const before = correlation === undefined || status !== null ? undefined : new Correlation(null, null, version.structural);
      const statusCorrelation = correlation?.field('status') ?? before;
      errors.push(...version.statusOpenapi.validate(status, { base, correlation: statusCorrelation, polls }));
    });
    this.#validateScale(object, update, errors);
  }

  #validateMeta(meta: ObjectMeta, update: Update | undefined, errors: FieldError[]): void {
    const { namespaced, wording } = this.#version;
    const rules = { namespaced, checkName: checkDns1123Subdomain, wording, distinct: wording.distinctErrors };
    if (update === undefined) errors.push(...validateObjectMeta(meta, rules, METADATA));
    else errors.push(...validateObjectMetaUpdate(meta, update.oldMeta, rules, METADATA));
  }

  #validateScale(object: JsonObject, update: Update | undefined, errors: FieldError[]): void {
    const { scale } = this.#version;
    if (scale === undefined) return;
    if (update?.statusOnly !== true) validateScaleSpec(object, scale, errors);
    validateScaleStatus(object, scale, errors);
  }

  #validateRules(object: JsonObject, old: JsonObject | undefined, correlation: Correlation | undefined, errors: FieldError[]): void {
    const version = this.#version;
    const { options } = this.#context;
    if (version.rules === undefined) {
      this.cost = { cel: 0 };
      return;
    }
    if (errors.some((error) => BLOCKING.has(error.type))) {
      errors.push(invalid(undefined, null, NOT_CHECKED));
      return;
    }
    const budget = options.budget ?? OBJECT_BUDGET;
    const rules = version.rules;
    const result: RulesResult = this.#context.timed('cel', () =>
      evaluateRules(rules, object, old, {
        costLimit: options.costLimit ?? PER_CALL_LIMIT,
        budget,
        token: options.token,
        correlation,
        explain: options.explain === true,
        observer: options.observer,
        path: undefined,
        showsScalars: showsScalars(version.minor),
        warn: (text) => this.#context.warn(text),
        note: (text) => this.#context.note(text),
      }),
    );
    errors.push(...result.errors);
    const cel = result.remaining < 0 ? -1 : budget - result.remaining;
    this.cost = result.evaluated === undefined ? { cel } : { cel, rules: result.evaluated };
  }
}
