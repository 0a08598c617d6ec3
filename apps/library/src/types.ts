/** Kubernetes minors whose verdict can be asked for. */
export type KubernetesVersion = '1.30' | '1.31' | '1.32' | '1.33' | '1.34' | '1.35' | '1.36' | '1.37';

/** A definition or an object: JSON or YAML as text or UTF-8 bytes, or a plain value, which is taken as `JSON.stringify` writes it. */
export type Document = string | Uint8Array | object;

/** The server whose verdict is wanted, and what stops work. */
export interface ServerOptions {
  /** Default: the latest. */
  readonly kubernetesVersion?: KubernetesVersion;
  /** Feature gates that are not as the minor has them. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Judge creates and definitions with the `resourceVersion` that they have; by default it is taken off, as of a dump that is applied elsewhere. */
  readonly asSent?: boolean;
  /** Ends work between two objects or definitions: the call rejects, or throws, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Ends work also inside a rule, once it has taken so long, ms: the call rejects, or throws, with a `TimeoutError`. */
  readonly timeoutMs?: number;
}

/** Options of the judging of objects. */
export interface ObjectOptions extends ServerOptions {
  /** The treatment of unknown and duplicate fields. Default: `Warn`, the server's own; `kubectl` asks for `Strict`. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** CEL cost units; `unlimited` lifts the server's limit. */
  readonly costLimits?: { readonly perCall?: number | 'unlimited'; readonly perObject?: number | 'unlimited' };
}

/** One write of an object. */
export interface WriteOptions extends Omit<ObjectOptions, 'kubernetesVersion' | 'featureGates'> {
  /** The stored object: the write is an update, with ratcheting and transition rules. */
  readonly oldObject?: Document;
  /** Default: `UPDATE` where there is an old object or a subresource, else `CREATE`. */
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly subresource?: 'status';
  /** Also say what each rule cost. */
  readonly explain?: boolean;
}

/** A reason in a {@link Status}: the field, the kind of error, and what the server says of it. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The server's refusal, a `metav1.Status`. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly status: 'Failure';
  /** What `kubectl` prints. */
  readonly message: string;
  readonly reason: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
  /** The HTTP status code. */
  readonly code: number;
}

/** The answer of a server to a definition. */
export interface DefinitionReport {
  /** Its `metadata.name`; empty where it cannot be read. */
  readonly name: string;
  readonly group?: string;
  readonly kind?: string;
  readonly versions?: readonly string[];
  /** Changes with the text, the minor and its gates. */
  readonly digest: string;
  readonly accepted: boolean;
  /** The refusal. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  /** Set where uid and resourceVersion were taken off; see `asSent`. */
  readonly takenOff?: boolean;
  readonly names?: {
    readonly plural: string;
    readonly singular: string;
    readonly shortNames: readonly string[];
    readonly kind: string;
    readonly listKind: string;
  };
  /** The conditions that controllers would write into its status. */
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
}

/** The static price of a rule. Cost units are uint64 as decimal text. */
export interface RulePrice {
  readonly version: string;
  /** Relative to `openAPIV3Schema`: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly rule: string;
  /** Most that one evaluation may cost. */
  readonly maxCost: string;
  /** The most evaluations for one object; null if a parent is unbounded. */
  readonly cardinality: string | null;
  /** Compared with the server's limit of 10,000,000. */
  readonly totalCost: string;
  readonly usesOldSelf: boolean;
  readonly messageMaxCost?: string;
  /** Why it does not compile. */
  readonly error?: string;
  readonly messageError?: string;
}

/** A definition judged, with the static price of every rule. */
export interface JudgedDefinition extends DefinitionReport {
  readonly rules: readonly RulePrice[];
  /** Cost of all rules together, by version: compared with the server's limit of 100,000,000. */
  readonly schemaCost: Readonly<Record<string, string>>;
}

/** The outcome of one object. `notEvaluated`: no verdict was possible, and `status` says why. */
export type Outcome = 'accepted' | 'rejected' | 'notEvaluated' | 'cancelled';

/** The verdict on one write of an object. */
export interface Verdict {
  readonly name?: string;
  readonly namespace?: string;
  /** Name of the definition, such as `httproutes.gateway.networking.k8s.io`. */
  readonly definition?: string;
  readonly outcome: Outcome;
  /** The refusal, of what is not accepted. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  /** Set where a create had a resourceVersion, which was taken off; see `asSent`. */
  readonly takenOff?: boolean;
  /** The object as it would be stored: pruned, with defaults. Integers beyond 2^53 lose digits, as in `JSON.parse`. */
  readonly object?: Readonly<Record<string, unknown>>;
  /** CEL cost units of the write; -1 when a limit stopped it. With `explain`, those of each rule that was evaluated. */
  readonly cost?: {
    readonly cel: number;
    readonly rules?: readonly { readonly path: string; readonly rule: string; readonly cost: number }[];
  };
}

/** The least and the most that something may cost: uint64 as decimal text. */
export interface CostRange {
  readonly min: string;
  readonly max: string;
}

/** A part of a rule as its author wrote it, with the parts inside it. */
export interface PricedPart {
  readonly text: string;
  /** The line of the rule in which the text begins, from 1. */
  readonly line: number;
  readonly column: number;
  /** Estimates by the schema: cost without the parts inside it, cost with them, and the most evaluations. */
  readonly estimate: { readonly own: CostRange; readonly total: CostRange; readonly evaluations: string };
  /** In the dearest evaluation of the rule, where objects were given. */
  readonly actual?: { readonly own: number; readonly total: number; readonly evaluations: number };
  readonly parts: readonly PricedPart[];
}

/** A place in the schema where a bound drives a cost. */
export interface CostBound {
  readonly path: string;
  readonly schemaPath: string;
  readonly keyword: 'maxItems' | 'maxLength' | 'maxProperties';
  /** Null when unbounded. */
  readonly value: number | null;
  readonly drives: 'evaluations' | 'size';
}

/** Bounds that, set together, bring a cost under its limit. */
export interface BoundSuggestion {
  readonly bounds: readonly (Omit<CostBound, 'drives'> & { readonly suggested: number })[];
  readonly cost: string;
}

/** A rule, what its price is made of, and how it would become less. */
export interface ExplainedRule extends RulePrice {
  /** `totalCost` ÷ its limit; above 1 the server refuses the definition. */
  readonly factor: number;
  readonly schemaShare: number;
  /** `messageMaxCost` ÷ its limit; above 1 the server refuses the definition. */
  readonly messageFactor?: number;
  readonly bounds: readonly CostBound[];
  /** Suggestions for a rule over its limit, fewest places first. */
  readonly suggestions?: readonly BoundSuggestion[];
  readonly messageParts?: PricedPart;
  readonly messageBounds?: readonly CostBound[];
  readonly messageSuggestions?: readonly BoundSuggestion[];
  /** Its cost in the given objects. */
  readonly measured?: {
    readonly objects: number;
    readonly evaluations: number;
    readonly cost: number;
    readonly dearest: { readonly object: number; readonly at: string; readonly cost: number };
    readonly headroom: number | null;
  };
  readonly parts?: PricedPart;
}

/** A definition judged, with the price of its rules taken apart: dearest first. */
export interface ExplainedDefinition {
  readonly report: DefinitionReport;
  readonly rules: readonly ExplainedRule[];
  readonly schemas: readonly {
    readonly version: string;
    readonly cost: string;
    readonly factor: number;
    readonly suggestions?: readonly BoundSuggestion[];
  }[];
  /** Advice on the rules. */
  readonly advice: readonly Advice[];
}

/** A piece of advice about a rule; `docs/reference/advice.md` lists the kinds. */
export interface Advice {
  /** The kind of advice, such as `unique-list`. */
  readonly id: string;
  /** Versions that have the rule at the same place. */
  readonly versions: readonly string[];
  /** The rule, as among `rules`. */
  readonly path: string;
  readonly text: string;
  /** The place in the rule, from 1; the column in code points. */
  readonly line: number;
  readonly column: number;
}

/** Definitions explained, and the objects that their rules were measured with. */
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

/** A value for each minor that was asked. */
export type ByVersion<T> = Readonly<Partial<Record<KubernetesVersion, T>>>;

/** The same documents against several minors. `changes`: something is not the same everywhere. */
export interface VersionMatrix {
  readonly minors: readonly KubernetesVersion[];
  readonly definitions: readonly {
    readonly name: string;
    readonly accepted: ByVersion<boolean>;
    readonly messages: ByVersion<string>;
    readonly warnings: ByVersion<readonly string[]>;
    readonly changingRules: readonly {
      readonly version: string;
      readonly path: string;
      readonly rule: string;
      readonly cost: ByVersion<string>;
    }[];
    readonly changes: boolean;
  }[];
  /** Policies and bindings as each minor answers their creation; absent if there are none. */
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
    readonly changes: boolean;
  }[];
}

/**
 * The effect of a changed definition on a stored object. `brokenOnUpdate`: even an unchanged write is refused. `breaksOnNextChange`: an edit beside an
 * invalid value is refused. `savedByRatcheting`: only a create is refused. `storedDifferently`: it is pruned, or gets other defaults. `mended`: only the
 * old definition refuses it. `invalidBefore`: both refuse it. `notJudged`: it is unreadable, or of another kind.
 */
export type Effect =
  | 'unaffected'
  | 'brokenOnUpdate'
  | 'breaksOnNextChange'
  | 'savedByRatcheting'
  | 'storedDifferently'
  | 'mended'
  | 'invalidBefore'
  | 'notJudged';

/** One place where a stored object differs; values as JSON text. */
export interface FieldChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The effect of a changed definition on one stored object. */
export interface ObjectEffect {
  readonly index: number;
  readonly name: string | undefined;
  readonly effect: Effect;
  /** The server's words. */
  readonly message?: string;
  /** The edit that is refused, of an object that breaks on the next change. */
  readonly nextChange?: FieldChange;
  /** Fields that get a default now, and that no update may change from then on. */
  readonly frozen?: readonly string[];
  readonly causes: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  /** The fields of the causes with their indexes: `spec.rules[2].port`. */
  readonly fields?: readonly string[];
  readonly changes: readonly FieldChange[];
  readonly cost: { readonly before: number | undefined; readonly after: number | undefined };
}

/** The effects of a changed definition on stored objects. */
export interface WhatIf {
  /** The server's answer to the change itself. If it is a refusal, no objects are judged. */
  readonly definition: DefinitionReport;
  /** Objects by effect. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** One for each object, in order. */
  readonly objects: readonly ObjectEffect[];
}
