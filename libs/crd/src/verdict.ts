import type { CancellationToken, FirstDocument, JsonObject, JsonValue } from '#go';
import type { Change, FieldError, ResourceNames, Status } from '#kube';
import type { WriteAdmission } from './object/write-admission.ts';
import type { RuleObserver } from './rules/compiled-rules.ts';

/**
 * Treatment of unknown and duplicate fields: the write is rejected, a warning is returned, or the fields are dropped silently. The server's
 * default is `Warn`.
 */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Valid values of the parameter `fieldValidation` of a create or update request. The empty value means the default. */
export const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/** Request body that was already read as YAML. */
export interface YamlBody {
  readonly reading: FirstDocument;
  /** Time of the reading, in milliseconds. */
  readonly ms: number;
}

/** Create or update request for one object, as a client sends it. */
export interface ObjectWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly subresource?: 'status';
  /** Request body: bytes or text as sent, or a value that was already parsed. Duplicate keys cannot be detected in a parsed value. */
  readonly body: Uint8Array | string | JsonObject;
  /** Media type of a raw body. Default: JSON if the text starts with `{`, otherwise YAML. */
  readonly contentType?: string;
  /** Result of reading the body as YAML, if it was read before. The body is then not read again. */
  readonly yaml?: YamlBody;
  /** Stored object of an update. It is defaulted and pruned like an object that is read from storage, and is not validated. */
  readonly oldObject?: JsonObject;
  /** Treatment of unknown and duplicate fields. A value that is not a {@link FieldValidation} is rejected, as by a server. */
  readonly fieldValidation: FieldValidation | (string & {});
  /** API version of the write; default: the storage version. */
  readonly version?: string;
  /**
   * Treatment of the resourceVersion in a create. `asSent`, the default, keeps it, and the write is rejected as on a server. `takenOff`
   * drops it, so that a dump of another cluster can be evaluated.
   */
  readonly ownedFields?: 'asSent' | 'takenOff';
}

/** Name and namespace that the client sent. A value that cannot be read is absent. */
export interface SentIdentity {
  readonly name?: string;
  readonly namespace?: string;
}

/** Limits and options of one validation. */
export interface ValidationOptions {
  /** Limit for one CEL expression, in cost units. Default: 1,000,000. */
  readonly costLimit?: number;
  /** Limit for all CEL expressions of one object, in cost units. Default: 10,000,000. */
  readonly budget?: number;
  readonly token?: CancellationToken;
  /** Set to true to get the cost of each evaluated rule in the verdict. */
  readonly explain?: boolean;
  /** Set to true to get the time of each phase in the verdict, in ms. Verdicts of a schema reader (generated code) have no times. */
  readonly timings?: boolean;
  /** Set to true to get the verdict from the exact validation only, without a schema reader. */
  readonly exact?: boolean;
  readonly observer?: RuleObserver;
  /** Admission policies that apply to the write. If absent, only the definition of the object applies. */
  readonly admission?: WriteAdmission;
}

/** One evaluation of a rule: its cost, without the cost of its messageExpression, and whether the rule refused the value. */
export interface EvaluatedRule {
  /** Path in the object: `spec.rules[0]`; `<nil>` at the root. */
  readonly path: string;
  readonly rule: string;
  readonly cost: number;
  /** True if the result was not `true`. Absent otherwise. With ratcheting, such a result may be only a warning. */
  readonly failed?: true;
}

/** Cost of the CEL rules of one object, in cost units. */
export interface ObjectCost {
  /** Number of cost units used. It is -1 if a cost limit stopped the evaluation, and undefined if validation ended before the CEL rules. */
  readonly cel: number | undefined;
  readonly rules?: readonly EvaluatedRule[];
}

/** Time that each step of the validation of a write request took, in ms. */
export interface PhaseTimings {
  readonly parse: number;
  readonly prune: number;
  readonly openapi: number;
  readonly lists: number;
  readonly cel: number;
}

/** Fields of the verdict on an object that do not depend on its acceptance. The warnings and the cost of CEL rules are always present. */
export interface VerdictFindings {
  readonly warnings: readonly string[];
  readonly cost: ObjectCost;
  readonly phases?: PhaseTimings;
  /** Name and namespace that the client sent. Absent if the body could not be read. */
  readonly sent?: SentIdentity;
  /** True if the request was a create with a resourceVersion, which was dropped. Otherwise absent. */
  readonly takenOff?: boolean;
  /** Notes in the words of Assay, for example about a messageExpression without effect. Absent if there are none. */
  readonly hints?: readonly string[];
}

/** Verdict on a request to create or update an object: accepted, rejected or cancelled. It equals the decision of the API server. */
export type ObjectVerdict =
  | ({
      readonly accepted: true;
      /** Object in the form that is stored. */
      readonly object: JsonObject;
    } & VerdictFindings)
  | ({
      readonly accepted: false;
      readonly status: Status;
      readonly errors: readonly FieldError[];
    } & VerdictFindings)
  | { readonly cancelled: true };

type WithPhases<Verdict> = Verdict extends VerdictFindings ? Verdict & { readonly phases: PhaseTimings } : Verdict;

/**
 * Verdict on an object from the exact validation, which works for every schema and reports all errors. It always contains the duration of
 * each step in ms. The faster code that is generated for one schema does not measure these durations.
 */
export type ExactVerdict = WithPhases<ObjectVerdict>;

/** Estimated cost of one x-kubernetes-validations entry. Costs are uint64 values, in cost units. */
export interface RuleCost {
  readonly version: string;
  /** Path of the rule, relative to openAPIV3Schema: `properties[spec].items.x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly rule: string;
  /** Estimated maximum cost of one evaluation, in cost units. */
  readonly maxCost: bigint;
  /**
   * Highest number of evaluations per object. Undefined if the schema does not bound the number, so that only the request size limits it.
   */
  readonly cardinality: bigint | undefined;
  readonly totalCost: bigint;
  readonly usesOldSelf: boolean;
  readonly messageMaxCost?: bigint;
  /** Compile error of the rule. Absent if the rule compiles. */
  readonly error?: string;
  readonly messageError?: string;
}

/** Condition in the status of a definition that a cluster's controllers would write. It is derived from the definition alone. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Differences because of which other Kubernetes versions do not give a text, or use other words, by text. */
export type TextChanges = ReadonlyMap<string, readonly Change[]>;

/**
 * Verdict on a request to create or update a definition, equal to the decision of the API server, with the estimated costs of the rules.
 */
export interface DefinitionVerdict {
  readonly accepted: boolean;
  /** Status of the rejection. Undefined if the definition is accepted. */
  readonly status: Status | undefined;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  /** Differences that decide about warnings, and about the message of a Status without field errors; absent if there are none. */
  readonly changes?: TextChanges;
  readonly rules: readonly RuleCost[];
  /**
   * Estimated cost of all rules and messageExpressions of a version together, in cost units, by version name. A server rejects a cost above
   * 100,000,000.
   */
  readonly schemaCost: ReadonlyMap<string, bigint>;
  readonly conditions: readonly DefinitionCondition[];
  /** True if uid or resourceVersion was removed, because a server would reject the definition with it. Otherwise absent. */
  readonly takenOff?: boolean;
  /**
   * Names that the definition requests, and the condition `Established` that it receives if the names are accepted. Undefined if the
   * definition is rejected.
   */
  readonly naming: { readonly names: ResourceNames; readonly established: DefinitionCondition } | undefined;
  /** Definition as it would be stored. Undefined if the definition is rejected. */
  readonly stored: JsonValue | undefined;
}
