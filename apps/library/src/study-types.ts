import type { Document, ServerOptions } from './types.ts';

/** Options of a study (benchmark of rules): objects to start with, an older revision, a time budget, and a choice of rules. */
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

/** Rule by which a generator chooses the value of a scalar field wherever the field occurs in an object. */
export type Filling =
  /**
   * The least value that the schema allows, such as `minimum` for a number. The field has this value wherever it occurs, for example in
   * every element of a list.
   */
  | { readonly kind: 'least' }
  | { readonly kind: 'greatest' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A different value in each element of the list that contains the field. The values rise or fall from element to element. */
  | { readonly kind: 'rising' | 'falling' }
  /**
   * The value `value` in all elements of the list that contains the field, except in the last element, which has `last`. A comparison of
   * the elements can therefore not end early.
   */
  | { readonly kind: 'lastDiffers'; readonly value: string | number | boolean; readonly last: string | number | boolean }
  /** The texts in `values`, which the elements of the list that contains the field use in turn. */
  | { readonly kind: 'cycle'; readonly values: readonly string[] }
  /** Texts that match `pattern`, a regular expression in the syntax of RE2. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** The text `period`, repeated until the value has its size. */
  | { readonly kind: 'periodic'; readonly period: string };

/** Choices of a study for one field of a generated value, such as its size and its contents. A property that is absent is not chosen. */
export interface Choice {
  /** True if the generated value contains the field, even if the field is optional. */
  readonly present?: boolean;
  /** Number of elements of a list, of keys of a map, or of code points of a text. */
  readonly size?: number;
  /** Minimum length of the keys of a map, in code points. */
  readonly keyLength?: number;
  /** First keys of a map. If the map needs more keys, generated keys follow. */
  readonly keys?: readonly string[];
  /**
   * Index, from 0, of the combination of branches of `anyOf` and `oneOf` that the value matches. With only one of these keywords, it is the
   * index of the branch.
   */
  readonly branch?: number;
  readonly filling?: Filling;
  /** True if the size may exceed the bound in the schema. Such sizes show the growth of the cost beyond the bound. */
  readonly isLifted?: boolean;
}

/** Name of an engine whose times are reported. */
export type EngineLabel = 'Assay compiled' | 'Assay interpreted' | 'Kubernetes in Go';

/**
 * Identification of a rule: the served version, and the path in the schema of this version, such as
 * `properties[spec].x-kubernetes-validations[0]`.
 */
export interface RuleKey {
  readonly version: string;
  readonly path: string;
}

/**
 * Plan from which a study generates a create or update request. It contains the choices for the object's fields and the kind of old value.
 * Fields are written like `spec.rules[].name`, in which `[]` means the elements of a list and `{}` the values of a map.
 */
export interface WritePlan {
  readonly fields: Readonly<Record<string, Choice>>;
  readonly old: 'same' | 'other' | 'smaller' | 'none';
}

/** Unit in which the size of a field is measured. */
export type SizeUnit = 'items' | 'properties' | 'code points' | 'code points of keys';

/** Growth exponent with its 95 % confidence interval (`lo` to `hi`). */
export interface ExponentFigure {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
}

/** Measured times of one evaluation of a rule in one engine, for different sizes of a field. */
export interface TimeSeries {
  readonly engine: EngineLabel;
  /** Growth exponent of the time. Absent if even the longest evaluation is too short to be measured, or if the time does not grow. */
  readonly exponent?: ExponentFigure;
  readonly points: readonly { readonly size: number; readonly ms: number }[];
}

/** Growth of a rule's cost with the size of one field. */
export interface GrowsWith {
  readonly field: string;
  readonly unit: SizeUnit;
  /** Bound of the field's size in the schema, in `unit`; absent if the schema has no bound. */
  readonly bound?: number;
  /** Growth exponent of the cost: 1 if the cost grows in proportion to the size, 2 if it grows with the square of the size. */
  readonly costExponent: number;
  /** Growth law that the cost follows exactly or nearly; absent if the cost follows none of these laws. */
  readonly near?: 'log n' | 'n' | 'n log n' | 'n²' | 'n³';
  /** Cost units of one evaluation if the field's size equals `bound` and the sizes of all other fields are small. */
  readonly costAtBound?: number;
  /**
   * Smallest size at which one evaluation would exceed the server's cost limit if the schema had no bound. Present only for the field with
   * the fastest growth.
   */
  readonly wouldEndAt?: number;
  /** Cost units of one evaluation at different sizes of the field. */
  readonly points: readonly { readonly size: number; readonly cost: number }[];
  /** Growth exponent of the time in Assay's compiled engine, which validates objects. Absent if the exponent cannot be determined. */
  readonly timeExponent?: ExponentFigure;
  /** Times of one evaluation at different sizes, with one series for each engine. Empty except for the field with the fastest growth. */
  readonly times: readonly TimeSeries[];
}

/**
 * Growth of a rule's cost if several fields grow together and have the same size. The cost grows faster in relation to the bytes of the
 * object than if one field grows alone.
 */
export interface GrowsTogether {
  /** Two or more fields, the one with the fastest growth first. */
  readonly fields: readonly { readonly field: string; readonly unit: SizeUnit }[];
  /** Growth exponent of the cost, such as 2 if the cost grows with the product of two sizes. */
  readonly costExponent: number;
  /** Growth law that the cost follows exactly or nearly; absent if the cost follows none of these laws. */
  readonly near?: 'log n' | 'n' | 'n log n' | 'n²' | 'n³';
  /**
   * Smallest common size of the fields at which one evaluation would exceed the server's cost limit if the schema had no bounds. Absent if
   * there is no such size.
   */
  readonly wouldEndAt?: number;
  /** Cost units of one evaluation at different common sizes of all fields. */
  readonly points: readonly { readonly size: number; readonly cost: number }[];
}

/**
 * Smallest size of a field at which a cost limit stops the evaluation of the rule. The study checks this result with two complete writes:
 * one with this size, and one with the next smaller size.
 */
export interface BudgetEnd {
  readonly field: string;
  readonly unit: SizeUnit;
  /** Fields that must have the same size as `field`. Absent if the size of `field` alone is enough to reach the limit. */
  readonly together?: readonly string[];
  readonly size: number;
  /**
   * Cost limit that stops the evaluation of the rule. `call` is the limit of one evaluation. `object` is the limit of all rules in an
   * object.
   */
  readonly limit: 'call' | 'object';
}

/** Most expensive write request that a study found for a rule. More expensive requests may exist. */
export interface DearestWrite {
  /**
   * Cost units of all evaluations of the rule in the write. If a limit ended the write, only the evaluations before the limit are counted.
   */
  readonly cost: number;
  readonly evaluations: number;
  /** Size of the object as JSON, in bytes. */
  readonly bytes: number;
  /**
   * Result of the write: `accepted`, or the cost limit that ends it. `call` is the limit of one evaluation, and `object` the limit of all
   * rules in an object.
   */
  readonly end: 'accepted' | 'call' | 'object';
  readonly plan: WritePlan;
}

/** Measured time for the most expensive write request that the study found, or for compiling the definition. */
export interface MeasuredTime {
  readonly engine: EngineLabel;
  /** Measured work: one evaluation of the rule, the whole write from bytes to verdict, or the compilation of the definition. */
  readonly what: 'rule' | 'write' | 'compile';
  /** Median of the measured times, in ms. */
  readonly ms: number;
  /** Time per cost unit, in ns; only for `rule`. */
  readonly nsPerUnit?: number;
  /**
   * `nsPerUnit` divided by the median time per cost unit over many CEL functions, so above 1 the rule is slower than usual for its cost.
   * The same engine measured both figures in the same study. Only for `rule`.
   */
  readonly timesMedian?: number;
  /** Heap memory that one run of the measured work allocates, in bytes; absent if the platform does not report it. */
  readonly heapBytes?: number;
}

/**
 * Time that an API server needs for one evaluation of a rule, as a calibrated model predicts it. If there is no prediction, the reason is
 * given.
 */
export type PredictedTime =
  | {
      readonly kind: 'predicted';
      /** Predicted CPU time of one thread, in ms. */
      readonly ms: number;
      /** Kind of rule to which the prediction applies. For nine of ten rules of such a kind, predictions were within a factor of two. */
      readonly family: string;
    }
  | { readonly kind: 'notPredicted'; readonly reason: string };

/**
 * Claim of KEP-2876 (the proposal that introduced CEL rules) about the time of rules, with the measured time. The verdict says whether the
 * claim holds for this rule.
 */
export interface StudyClaim {
  readonly claim: string;
  readonly found: string;
  readonly verdict: 'holds' | 'in part' | 'fails' | 'not measured';
}

/** Bound that would bring the estimated cost of the rule under its limit. */
export interface SuggestedBound {
  readonly field: string;
  readonly keyword: string;
  readonly suggested: number;
  readonly before: number | null;
}

/** Comparison of a rule with the same rule in an older revision of its definition, the base of the study (benchmark of rules). */
export type BaseComparison =
  | { readonly kind: 'new' | 'removed' }
  | {
      readonly kind: 'compared';
      /**
       * Highest costs of both revisions, in cost units. Each revision is evaluated on all writes that the study found for either revision.
       */
      readonly cost: {
        readonly base: number;
        readonly head: number;
        readonly ratio?: number;
        readonly verdict: 'equal' | 'dearer' | 'cheaper';
      };
      /**
       * Comparison of the times of one evaluation on the same value. Code for both revisions is generated again several times. Absent if
       * the study had too little time to compare times, or if times were not measured.
       */
      readonly time?: {
        readonly engine: EngineLabel;
        /**
         * Median of the time ratios of all pairs of programs (one program of each revision), with its 95 % confidence interval (`lo` to
         * `hi`). Each ratio is the time of the newer revision divided by the time of the base.
         */
        readonly ratio: number;
        readonly lo: number;
        readonly hi: number;
        readonly verdict: 'equal' | 'slower' | 'faster' | 'undecided';
        /** Number of pairs of programs, one program of each revision. The code of each program was generated for this comparison. */
        readonly pairs: number;
      };
    };

/** Findings of a study about one rule. */
export interface RuleFindings extends RuleKey {
  readonly rule: string;
  /**
   * The server's cost estimates for one evaluation and for a whole object, in cost units as decimal text; absent if there are no estimates.
   */
  readonly estimate?: { readonly call: string; readonly object: string };
  /** Fields whose size raises the cost. The field with the fastest growth is first. */
  readonly growsWith: readonly GrowsWith[];
  /** Growth of the cost with several fields whose sizes multiply in the cost; absent if there are no such fields. */
  readonly growsTogether?: GrowsTogether;
  /**
   * Smallest size of the field with the fastest growth at which a server refuses the write. Absent if the server refuses no write within 3
   * MiB and the bounds of the schema.
   */
  readonly budgetEndsAt?: BudgetEnd;
  /** Most expensive write that was found. Absent if no write was accepted or ended by a limit. */
  readonly worst?: DearestWrite;
  /**
   * Estimated cost for an object, divided by the cost of the most expensive write. If it is below 1, the estimate is not an upper bound.
   */
  readonly estimateOverWorst?: number;
  /**
   * First reason why a server refuses a whole object that contains the most expensive value for this rule. Absent if no part of the object
   * is refused.
   */
  readonly obstacle?: string;
  /** Reason why the rule was not studied; absent if it was studied. */
  readonly notStudied?: string;
  /** True if the time budget was used up before the study of the rule was complete. */
  readonly isPartial: boolean;
  readonly suggestedBounds: readonly SuggestedBound[];
  /** Cost units of one evaluation if all suggested bounds are reached; absent if there are no suggestions. */
  readonly costAtSuggested?: number;
  readonly times: readonly MeasuredTime[];
  readonly claims: readonly StudyClaim[];
  /** Predicted time that an API server needs for one evaluation in the most expensive write; absent if times were not measured. */
  readonly serverTime?: PredictedTime;
  /** Share of the time in which the measuring thread got no CPU core, from 0 to 1. Absent if the share is at most 0.2 or not known. */
  readonly disturbed?: number;
  readonly base?: BaseComparison;
}

/** Findings about one rule, with the definition to which the rule belongs. */
export interface PlacedFindings extends RuleFindings {
  /** Name of the definition, such as `widgets.example.com`. */
  readonly definition: string;
  /** File of the definition, and number of the document in the file. */
  readonly source: string;
}

/** Definition whose rules are studied. */
export interface StudiedDefinition {
  /** File of the definition, and number of the document in the file. */
  readonly source: string;
  /** Name of the definition, such as `widgets.example.com`; absent if its cost could not be estimated. */
  readonly definition?: string;
  /** Name of the CompositeResourceDefinition of Crossplane of which the definition was made; absent for other definitions. */
  readonly composite?: string;
  /** Number of rules of the definition that the study was asked to study. */
  readonly rules: number;
  /** Message with which a server refuses the definition, cut if it is long; absent if a server accepts the definition. */
  readonly refused?: string;
  /** Reason why no rule of the definition was studied; absent if rules were studied, or if the definition has no rules. */
  readonly notStudied?: string;
}

/** Report of a study of all rules in several definitions. */
export interface Study {
  /**
   * Version of the report's format. A format version can gain fields. If the meaning of a field changes, the report gets a new format
   * version.
   */
  readonly schema: 'assay.dev/study/v1';
  readonly kubernetesVersion: string;
  readonly seed: number;
  readonly budgetMs: number;
  /** True if the time budget was used up before every rule was studied completely, or if the study was stopped. */
  readonly isPartial: boolean;
  /** Name of the older revision with which the rules are compared; absent if no older revision was given. */
  readonly base?: string;
  readonly definitions: readonly StudiedDefinition[];
  readonly rules: readonly PlacedFindings[];
  /** Numbers of rules that were not studied, by reason. */
  readonly notStudied: readonly { readonly reason: string; readonly rules: number }[];
}
