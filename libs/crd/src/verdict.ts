import type { CancellationToken, JsonObject, JsonValue, YamlReading } from '#go';
import type { FieldError, ResourceNames, Status } from '#kube';
import type { WriteAdmission } from './object/write-admission.ts';
import type { RuleObserver } from './rules/compiled-rules.ts';

/** The treatment of unknown and duplicate fields: refused, warned about, or dropped in silence. The server's default is `Warn`. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The values of a write's fieldValidation; the empty one means the default. */
export const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/** A body that was read as YAML. */
export interface YamlBody {
  readonly reading: YamlReading;
  /** Time of the reading, in milliseconds. */
  readonly ms: number;
}

/** A write of one object, as a client sends it. */
export interface ObjectWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly subresource?: 'status';
  /** The request body: bytes or text as sent, or a value already read (then nothing is known of duplicate keys). */
  readonly body: Uint8Array | string | JsonObject;
  /** Media type of a raw body. Default: JSON when the text starts with `{`, else YAML. */
  readonly contentType?: string;
  /** The body as YAML reads it, where that was done before: it is not read again. */
  readonly yaml?: YamlBody;
  /** The stored object of an update. It is taken as stored: defaulted and pruned on reading, not validated. */
  readonly oldObject?: JsonObject;
  /** Anything but a {@link FieldValidation} is refused as the server does. */
  readonly fieldValidation: FieldValidation | (string & {});
  /** API version of the write; default: the storage version. */
  readonly version?: string;
  /**
   * Treatment of the resourceVersion of a create, which a server refuses. `takenOff` drops it, which allows a dump of
   * another cluster. Default: `asSent`.
   */
  readonly ownedFields?: 'asSent' | 'takenOff';
}

/** The name and namespace that the client sent, if they are readable. */
export interface SentIdentity {
  readonly name?: string;
  readonly namespace?: string;
}

/** Limits and options of one validation. */
export interface ValidationOptions {
  /** CEL cost units of one expression; default 1,000,000. */
  readonly costLimit?: number;
  /** CEL cost units of one object; default 10,000,000. */
  readonly budget?: number;
  readonly token?: CancellationToken;
  /** Also list the cost of each evaluated rule. */
  readonly explain?: boolean;
  /** Also measure the phases. */
  readonly timings?: boolean;
  /** Judge by the exact way alone: no generated reader answers. */
  readonly exact?: boolean;
  readonly observer?: RuleObserver;
  /** Admission policies; none: a write meets only its definition. */
  readonly admission?: WriteAdmission;
}

/** The cost of one evaluated rule, with its messageExpression where that ran. */
export interface EvaluatedRule {
  /** Path in the object: `spec.rules[0]`; `<nil>` at the root. */
  readonly path: string;
  readonly rule: string;
  readonly cost: number;
}

/** CEL cost units of one object. */
export interface ObjectCost {
  /** Units used; -1 when a limit stopped the evaluation; undefined when CEL was not reached. */
  readonly cel: number | undefined;
  readonly rules?: readonly EvaluatedRule[];
}

/** Milliseconds per step of the write path. */
export interface PhaseTimings {
  readonly parse: number;
  readonly prune: number;
  readonly openapi: number;
  readonly lists: number;
  readonly cel: number;
}

/** The findings that every verdict has. */
export interface VerdictFindings {
  readonly warnings: readonly string[];
  readonly cost: ObjectCost;
  readonly phases?: PhaseTimings;
  /** Absent where nothing was read. */
  readonly sent?: SentIdentity;
  /** Set where a create had a resourceVersion, which was taken off. */
  readonly takenOff?: boolean;
}

/** The server's answer to a write. */
export type ObjectVerdict =
  | ({
      readonly accepted: true;
      /** The object handed to storage. */
      readonly object: JsonObject;
    } & VerdictFindings)
  | ({
      readonly accepted: false;
      readonly status: Status;
      readonly errors: readonly FieldError[];
    } & VerdictFindings)
  | { readonly cancelled: true };

type WithPhases<Verdict> = Verdict extends VerdictFindings ? Verdict & { readonly phases: PhaseTimings } : Verdict;

/** A verdict of the exact way. Unlike that of a generated reader, it always tells the milliseconds of each step. */
export type ExactVerdict = WithPhases<ObjectVerdict>;

/** The static price of one x-kubernetes-validations entry. Costs are uint64. */
export interface RuleCost {
  readonly version: string;
  /** Relative to openAPIV3Schema: `properties[spec].items.x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly rule: string;
  /** Static maximum of one evaluation. */
  readonly maxCost: bigint;
  /** Highest number of evaluations per object; undefined if it is unbounded. Then the request size is the bound. */
  readonly cardinality: bigint | undefined;
  readonly totalCost: bigint;
  readonly usesOldSelf: boolean;
  readonly messageMaxCost?: bigint;
  /** The compile error, if any. */
  readonly error?: string;
  readonly messageError?: string;
}

/** A condition that controllers would write, where it follows from the definition alone. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The server's answer to a write of a definition. */
export interface DefinitionVerdict {
  readonly accepted: boolean;
  /** Set when refused. */
  readonly status: Status | undefined;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
  readonly rules: readonly RuleCost[];
  /** Sum of costs per version, compared with the limit of 100,000,000. */
  readonly schemaCost: ReadonlyMap<string, bigint>;
  readonly conditions: readonly DefinitionCondition[];
  /** Set where the definition had the resourceVersion of another state, which was taken off. */
  readonly takenOff?: boolean;
  /**
   * The names that the definition requests, and its condition `Established` once they are accepted. Undefined if the
   * definition is refused.
   */
  readonly naming: { readonly names: ResourceNames; readonly established: DefinitionCondition } | undefined;
  /** The definition as it would be stored, when accepted. */
  readonly stored: JsonValue | undefined;
}
