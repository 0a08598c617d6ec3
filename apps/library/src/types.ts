// These types repeat the types of zod schemas. Without the repetition, the package would need zod. The compiler compares both versions in
// the functions that return them. All other types come from the libraries (index.ts).
import type { Effect, FieldChange } from '#documents';
import type { Minor, Status } from '#kube';

/** Kubernetes versions whose verdicts are available. */
export type KubernetesVersion = Minor;

/** Definition or object: JSON or YAML as text or UTF-8 bytes, or a plain value. A plain value is converted by `JSON.stringify`. */
export type Document = string | Uint8Array | object;

/** Options that describe the server whose verdict is computed, and options that stop the work. */
export interface ServerOptions {
  /** Minor version of Kubernetes. Default: the latest supported one. */
  readonly kubernetesVersion?: KubernetesVersion;
  /** Feature gates whose state differs from the default of the version. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * True if created objects and definitions are evaluated with their `resourceVersion`, and definitions also with their `uid`. Otherwise
   * these fields are removed, because documents that were dumped from a cluster contain them.
   */
  readonly asSent?: boolean;
  /**
   * Treatment of unknown and duplicate fields of definitions, policies and objects. Default: `Warn`, which is the default of the server;
   * `kubectl` requests `Strict`.
   */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /**
   * Signal that stops the work between two objects or definitions. The stopped call throws the reason of the signal; an asynchronous call
   * rejects with it.
   */
  readonly signal?: AbortSignal;
  /**
   * Time limit in ms. The limit also stops the evaluation of a rule. The stopped call throws a `TimeoutError`; an asynchronous call rejects
   * with it.
   */
  readonly timeoutMs?: number;
}

/** Options for computing verdicts on objects. */
export interface ObjectOptions extends ServerOptions {
  /**
   * Cost limits in CEL cost units: `perCall` for one evaluation of a rule, `perObject` for all rules of an object. `unlimited` removes the
   * server's limit.
   */
  readonly costLimits?: { readonly perCall?: number | 'unlimited'; readonly perObject?: number | 'unlimited' };
}

/** Options for computing the verdict on one create or update request for an object. */
export interface WriteOptions extends Omit<ObjectOptions, 'kubernetesVersion' | 'featureGates'> {
  /** Stored object. If it is given, the write is an update, to which ratcheting and transition rules apply. */
  readonly oldObject?: Document;
  /** Operation of the write. Default: `UPDATE` if there is an old object or a subresource, otherwise `CREATE`. */
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly subresource?: 'status';
  /** True if the verdict also contains the cost of each rule. */
  readonly explain?: boolean;
}

/** Answer of a server to the creation of a definition. */
export interface DefinitionReport {
  /** `metadata.name` of the definition; empty if it cannot be read. */
  readonly name: string;
  readonly group?: string;
  readonly kind?: string;
  readonly versions?: readonly string[];
  /** Digest that changes with the text of the definition, the Kubernetes version and the feature gates. */
  readonly digest: string;
  readonly accepted: boolean;
  /** Refusal of the server; absent if the definition is accepted. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  /** Present if `uid` and `resourceVersion` were removed from the definition before its verdict was computed; see `asSent`. */
  readonly takenOff?: boolean;
  /** Name of the CompositeResourceDefinition of Crossplane of which the definition was made; absent for other definitions. */
  readonly composite?: string;
  readonly names?: {
    readonly plural: string;
    readonly singular: string;
    readonly shortNames: readonly string[];
    readonly kind: string;
    readonly listKind: string;
  };
  /** Conditions that controllers of the server would write into the status of the definition. */
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
}

/** Static cost of a rule. Cost units are uint64 numbers as decimal text. */
export interface RulePrice {
  readonly version: string;
  /** Path relative to `openAPIV3Schema`, such as `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly rule: string;
  /** Maximum cost of one evaluation of the rule, in cost units, as estimated from the schema. */
  readonly maxCost: string;
  /** Maximum number of evaluations for one object; null if a parent list or map is unbounded. */
  readonly cardinality: string | null;
  /** Maximum cost of all evaluations of the rule for one object, in cost units. The server compares it with its limit of 10,000,000. */
  readonly totalCost: string;
  readonly usesOldSelf: boolean;
  readonly messageMaxCost?: string;
  /** Reason why the rule does not compile; absent if it compiles. */
  readonly error?: string;
  readonly messageError?: string;
}

/** Verdict on a definition, with the cost estimate of every rule. */
export interface JudgedDefinition extends DefinitionReport {
  readonly rules: readonly RulePrice[];
  /** Total cost of all rules of each version, in cost units, by version name. The server compares it with its limit of 100,000,000. */
  readonly schemaCost: Readonly<Record<string, string>>;
}

/** Outcome of the evaluation of one object. `notEvaluated` means that no verdict was possible; `status` has the reason. */
export type Outcome = 'accepted' | 'rejected' | 'notEvaluated' | 'cancelled';

/** The verdict on one write of an object. */
export interface Verdict {
  readonly name?: string;
  readonly namespace?: string;
  /** Name of the definition, such as `httproutes.gateway.networking.k8s.io`. */
  readonly definition?: string;
  readonly outcome: Outcome;
  /** Refusal of the server; absent if the object is accepted. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  /** Present if a created object had a `resourceVersion`, which was removed before the verdict was computed; see `asSent`. */
  readonly takenOff?: boolean;
  /** Object as the server would store it, pruned and with defaults. Integers beyond 2^53 lose digits, as in `JSON.parse`. */
  readonly object?: Readonly<Record<string, unknown>>;
  /**
   * CEL cost units of the write; -1 if a cost limit stopped the evaluation. With `explain`, also the cost of each rule that was evaluated.
   * `failed` is set for a rule whose result was not `true`.
   */
  readonly cost?: {
    readonly cel: number;
    readonly rules?: readonly { readonly path: string; readonly rule: string; readonly cost: number; readonly failed?: true }[];
  };
}

/** Minimum and maximum of a cost, as uint64 numbers in decimal text. */
export interface CostRange {
  readonly min: string;
  readonly max: string;
}

/** Part of a rule as its author wrote it, with the parts that it contains. */
export interface PricedPart {
  readonly text: string;
  /** Line of the rule in which the text of the part begins, from 1. */
  readonly line: number;
  readonly column: number;
  /**
   * Cost estimates of this part, computed from the schema. `own` is the cost without the contained parts, and `total` is the cost with
   * them. `evaluations` is the maximum number of evaluations.
   */
  readonly estimate: { readonly own: CostRange; readonly total: CostRange; readonly evaluations: string };
  /**
   * Measured costs and number of evaluations of the part, in the most expensive evaluation of the rule. Absent if no objects were given.
   */
  readonly actual?: { readonly own: number; readonly total: number; readonly evaluations: number };
  readonly parts: readonly PricedPart[];
}

/** Field in the schema whose bound determines a cost. */
export interface CostBound {
  readonly path: string;
  readonly schemaPath: string;
  readonly keyword: 'maxItems' | 'maxLength' | 'maxProperties';
  /** Value of the keyword `keyword` in the schema; null if the schema does not set it, so that the field is unbounded. */
  readonly value: number | null;
  readonly drives: 'evaluations' | 'size';
}

/** Set of schema bounds, such as `maxItems`, that together bring an estimated cost under its limit. */
export interface BoundSuggestion {
  readonly bounds: readonly (Omit<CostBound, 'drives'> & { readonly suggested: number })[];
  readonly cost: string;
}

/** Rule with an explanation of its cost, and suggestions to reduce the cost. */
export interface ExplainedRule extends RulePrice {
  /** `totalCost` divided by its limit. If it is above 1, the server refuses the definition. */
  readonly factor: number;
  readonly schemaShare: number;
  /** `messageMaxCost` divided by its limit. If it is above 1, the server refuses the definition. */
  readonly messageFactor?: number;
  readonly bounds: readonly CostBound[];
  /** Missing bounds for a rule over its limit; each suggestion alone suffices. The first one belongs to the `additions` of the definition. */
  readonly suggestions?: readonly BoundSuggestion[];
  readonly messageParts?: PricedPart;
  readonly messageBounds?: readonly CostBound[];
  readonly messageSuggestions?: readonly BoundSuggestion[];
  /** Measured cost of the rule in the given objects. */
  readonly measured?: {
    readonly objects: number;
    readonly evaluations: number;
    readonly cost: number;
    readonly dearest: { readonly object: number; readonly at: string; readonly cost: number };
    readonly headroom: number | null;
  };
  readonly parts?: PricedPart;
}

/** Verdict on a definition, with an explanation of the cost of each rule. The rules are in descending order of cost. */
export interface ExplainedDefinition {
  readonly report: DefinitionReport;
  readonly rules: readonly ExplainedRule[];
  readonly schemas: readonly {
    readonly version: string;
    readonly cost: string;
    readonly factor: number;
    readonly suggestions?: readonly BoundSuggestion[];
  }[];
  /** Pieces of advice on the rules. */
  readonly advice: readonly Advice[];
  /** Bounds with which the server accepts the costs of all rules. Present if a cost exceeds its limit. */
  readonly additions?: Additions;
  /** Present if the server refuses the definition and an earlier version of Kubernetes accepts it. */
  readonly causes?: VerdictCauses;
}

/** Why two Kubernetes versions have different verdicts on the write of a definition, or report different errors or warnings. */
export interface VerdictCauses {
  readonly from: KubernetesVersion;
  readonly to: KubernetesVersion;
  /** `verdict` if only one version accepts the definition, `texts` if only errors or warnings differ. */
  readonly about: 'verdict' | 'texts';
  /** Differences that together explain the verdicts or texts. Empty if no cause is known, or if costs have more than three. */
  readonly causes: readonly {
    readonly name: string;
    /** Sentence that says what changed. It may contain Markdown code marks. */
    readonly sentence: string;
    /** The change of the upstream code, such as `cel-go#1350`; absent for functions that only one version offers. */
    readonly upstream?: string;
  }[];
  /** True if costs are a reason, but more than three differences are necessary to explain them. */
  readonly hasSeveral: boolean;
  /** Rules that the causes concern. Rules with the same text and costs are one entry with several places. */
  readonly rules: readonly {
    readonly rule: string;
    readonly isMessage: boolean;
    readonly places: readonly { readonly version: string; readonly path: string }[];
    /** Estimated costs in cost units; absent if only one version compiles the rule. */
    readonly cost?: { readonly from: string; readonly to: string };
    /** Costs divided by the limit of a rule. */
    readonly share?: { readonly from: number; readonly to: number };
  }[];
  /** Costs of all rules of a version of the definition divided by the limit; empty if no sum exceeds its limit. */
  readonly sums: readonly { readonly version: string; readonly share: { readonly from: number; readonly to: number } }[];
}

/** Bound that is added to a definition, or an existing bound that is lowered. */
export interface MendingBound {
  readonly version: string;
  /** Fields that the bound limits, such as `spec.rules[*].name`. */
  readonly path: string;
  readonly keyword: string;
  /** Value of the bound in the definition; null if there is none. */
  readonly before: number | null;
  readonly suggested: number;
}

/**
 * Missing bounds with which Kubernetes versions accept a definition, or the reason why no missing bounds do. `tightening` has the bounds
 * that suffice if existing ones are lowered, too. That breaks stored objects that exceed them.
 */
export type Additions =
  | { readonly bounds: readonly MendingBound[] }
  | { readonly why: string; readonly tightening?: readonly MendingBound[] };

/** Piece of advice about a rule. `docs/reference/advice.md` lists all kinds. */
export interface Advice {
  /** The kind of advice, such as `unique-list`. */
  readonly id: string;
  /** Versions that contain the rule at the same path. */
  readonly versions: readonly string[];
  /** Path of the rule, as in `rules`. */
  readonly path: string;
  readonly text: string;
  /** Line and column of the advised part in the text of the rule. Both begin at 1; the column counts code points. */
  readonly line: number;
  readonly column: number;
}

/** Result of explaining rule costs: the definitions with the cost of each rule, and the outcome and CEL cost of each given object. */
export interface Explanation {
  readonly definitions: readonly ExplainedDefinition[];
  readonly objects: readonly {
    readonly index: number;
    readonly name?: string;
    readonly outcome: Outcome;
    readonly status?: Status;
    readonly celCost?: number;
  }[];
}

/** Values by Kubernetes version. Versions that were not requested are absent. */
export type ByVersion<T> = Readonly<Partial<Record<KubernetesVersion, T>>>;

/**
 * Verdicts of several Kubernetes versions on the same documents. In each entry, `changes` is true if something differs between these
 * versions.
 */
export interface VersionMatrix {
  readonly minors: readonly KubernetesVersion[];
  /** Pre-releases of the versions that Kubernetes has not released yet; absent if all are released. */
  readonly previews?: ByVersion<string>;
  readonly definitions: readonly {
    readonly name: string;
    /** As in {@link DefinitionReport}. */
    readonly composite?: string;
    readonly accepted: ByVersion<boolean>;
    readonly messages: ByVersion<string>;
    readonly warnings: ByVersion<readonly string[]>;
    readonly changingRules: readonly {
      readonly version: string;
      readonly path: string;
      readonly rule: string;
      readonly cost: ByVersion<string>;
    }[];
    /** Causes for each two neighbouring versions with different verdicts, errors or warnings; absent if all report the same. */
    readonly causes?: readonly VerdictCauses[];
    /** Smallest additions with which all compared versions accept the definition; absent if their verdicts agree. */
    readonly additions?: Additions;
    readonly changes: boolean;
  }[];
  /** Answers of each Kubernetes version to the creation of policies and bindings; absent if there are none. */
  readonly policies?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly accepted: ByVersion<boolean>;
    readonly messages: ByVersion<string>;
    readonly warnings: ByVersion<readonly string[]>;
    readonly changes: boolean;
  }[];
  readonly objects: readonly {
    readonly index: number;
    readonly name: string | undefined;
    readonly outcome: ByVersion<string>;
    readonly messages: ByVersion<string>;
    readonly celCost: ByVersion<number>;
    /** Causes for neighbouring versions with different outcomes, errors or warnings; absent if none is known. */
    readonly causes?: readonly VerdictCauses[];
    readonly changes: boolean;
  }[];
}

/** The effect of a changed definition on one stored object. */
export interface ObjectEffect {
  readonly index: number;
  readonly name: string | undefined;
  readonly effect: Effect;
  /**
   * Write that shows the effect. Usually, the changed definition refuses it and the old definition accepted it. `unchanged`: an update without
   * changes. `update`: an edit. `status`, `scale`: a write of that subresource. `create`: creation of the same object. `apply`: `kubectl
   * apply` of the object's file. With the effect `storedDifferently`, the apply is accepted but stores other values.
   */
  readonly write?: 'unchanged' | 'apply' | 'update' | 'status' | 'scale' | 'create';
  /** Server's message about the write that shows the effect. */
  readonly message?: string;
  /** Edit that the server refuses. Present only if the effect is `breaksOnNextChange`. */
  readonly nextChange?: FieldChange;
  /** Fields that get a default with the changed definition and that no later update may change. */
  readonly frozen?: readonly string[];
  readonly causes: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  /** Paths of the causes' fields with list indexes, such as `spec.rules[2].port`. */
  readonly fields?: readonly string[];
  readonly changes: readonly FieldChange[];
  readonly cost: { readonly before: number | undefined; readonly after: number | undefined };
}

/** The effects of a changed definition on stored objects. */
export interface WhatIf {
  /** The server's answer to the change itself. If it is a refusal, no verdicts on objects are computed. */
  readonly definition: DefinitionReport;
  /** Number of objects for each effect. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** Effects of the changed definition, one for each object, in the order in which the objects were given. */
  readonly objects: readonly ObjectEffect[];
}

/** Options of a study: objects to start with, an older revision, a time budget, and a choice of rules. */
export interface StudyOptions extends ServerOptions {
  /** Objects with which the searches for expensive writes start. The searches make these objects larger. */
  readonly objects?: readonly Document[];
  /** Definitions of an older revision. The study compares each rule with the same rule in this revision. */
  readonly base?: readonly Document[];
  /** Time budget of the study in ms; default 10,000. */
  readonly budgetMs?: number;
  /** True if times are measured too; false if only costs are found. Default: true. */
  readonly isTimed?: boolean;
  /** Seed of the random choices. The same seed leads to the same choices; default 1. */
  readonly seed?: number;
  /** Returns true if a rule is to be studied. By default, all rules are studied. */
  readonly isWanted?: (rule: { readonly version: string; readonly path: string; readonly rule: string }) => boolean;
}
