import type { GrowthName } from '../figures/cost-growth.ts';
import type { Choice } from '../values/choice.ts';

/** The name of an engine whose times are told. */
export type EngineLabel = AssayEngine | 'Kubernetes in Go';

/** The name of an engine of Assay whose times are told. */
export type AssayEngine = 'Assay compiled' | 'Assay interpreted';

/** A rule's place: the served version, and `properties[spec].x-kubernetes-validations[0]` in its schema. */
export interface RuleKey {
  readonly version: string;
  readonly path: string;
}

/** A plan of a write: decisions about its fields, and the old value of an update. Fields are `spec.rules[].name`; `[]` means elements, `{}` values of a map. */
export interface WritePlan {
  readonly fields: Readonly<Record<string, Choice>>;
  readonly old: 'same' | 'other' | 'smaller' | 'none';
}

/** A unit in which a field grows. */
export type SizeUnit = 'items' | 'properties' | 'code points' | 'code points of keys';

/** An exponent with the ends of its 95 % interval. */
export interface ExponentFigure {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
}

/** Times of one evaluation by the size of a field, as one engine takes them. */
export interface TimeSeries {
  readonly engine: EngineLabel;
  /** The exponent; absent if the longest evaluation is too short for a clock, or nothing grows. */
  readonly exponent?: ExponentFigure;
  readonly points: readonly { readonly size: number; readonly ms: number }[];
}

/** The growth of a rule with one size of one field. */
export interface GrowsWith {
  readonly field: string;
  readonly unit: SizeUnit;
  /** The schema's bound, in that unit; absent if there is none. */
  readonly bound?: number;
  /** 1 for a cost that grows as the size, 2 for its square. */
  readonly costExponent: number;
  /** The growth that the cost has or is near; absent if none. */
  readonly near?: GrowthName;
  /** Cost units of one evaluation at the schema's bound, the other sizes small. */
  readonly costAtBound?: number;
  /** The first size at which a server would refuse one evaluation if the schema had no bound; of the steepest field only. */
  readonly wouldEndAt?: number;
  /** Cost units of one evaluation, by size. */
  readonly points: readonly { readonly size: number; readonly cost: number }[];
  /** The exponent of time in the engine that judges, Assay compiled; absent if it cannot be told. */
  readonly timeExponent?: ExponentFigure;
  /** Times by size; empty for all but the steepest field. */
  readonly times: readonly TimeSeries[];
}

/** The growth of a rule with one size that several fields have: the cost grows faster by bytes than with each of them alone. */
export interface GrowsTogether {
  /** Two fields or more, the steepest first. */
  readonly fields: readonly { readonly field: string; readonly unit: SizeUnit }[];
  /** 2 for a cost that grows as the product of two sizes. */
  readonly costExponent: number;
  /** The growth that the cost has or is near; absent if none. */
  readonly near?: GrowthName;
  /** The first size of them at which a server would refuse one evaluation, had the schema no bounds. Absent if there is none. */
  readonly wouldEndAt?: number;
  /** Cost units of one evaluation, by the size that all of them have. */
  readonly points: readonly { readonly size: number; readonly cost: number }[];
}

/** The first length of a field at which a limit ends the rule, confirmed by whole writes at that length and one below. */
export interface BudgetEnd {
  readonly field: string;
  readonly unit: SizeUnit;
  /** Other fields that have the same length; absent if the rule ends by one field alone. */
  readonly together?: readonly string[];
  readonly size: number;
  /** The limit of one evaluation, or that of all rules of an object. */
  readonly limit: 'call' | 'object';
}

/** The dearest write that was found; there may be dearer ones. */
export interface DearestWrite {
  /** Cost units of all evaluations of the rule in the write; if a limit ended it, of those until then. */
  readonly cost: number;
  readonly evaluations: number;
  /** Bytes of JSON. */
  readonly bytes: number;
  /** Acceptance, or the limit that ends the write. */
  readonly end: 'accepted' | 'call' | 'object';
  readonly plan: WritePlan;
}

/** A time of the dearest write that was found, or of the definition. */
export interface MeasuredTime {
  readonly engine: EngineLabel;
  /** One evaluation of the rule, the whole write from bytes to verdict, or compiling the definition. */
  readonly what: 'rule' | 'write' | 'compile';
  /** Median, ms. */
  readonly ms: number;
  /** Nanoseconds for each cost unit; of rules only. */
  readonly nsPerUnit?: number;
  /** That, divided by the median over functions that the same engine took in the same sitting; of rules only. */
  readonly timesMedian?: number;
  /** Bytes of heap that one run allocates; absent if the platform does not tell. */
  readonly heapBytes?: number;
}

/** The time of an API server for one evaluation of a rule, as a calibrated model predicts it. */
export type PredictedTime =
  | {
      readonly kind: 'predicted';
      /** CPU time of a thread, ms. */
      readonly ms: number;
      /** The kind of rule, for which predictions were within a factor of two for nine of ten rules. */
      readonly family: string;
    }
  | { readonly kind: 'notPredicted'; readonly reason: string };

/** A claim of KEP-2876, and whether the rule keeps it. */
export interface StudyClaim {
  readonly claim: string;
  readonly found: string;
  readonly verdict: 'holds' | 'in part' | 'fails' | 'not measured';
}

/** A bound that would bring the rule's estimate under its limit. */
export interface SuggestedBound {
  readonly field: string;
  readonly keyword: string;
  readonly suggested: number;
  readonly before: number | null;
}

/** The rule beside its older revision. */
export type BaseComparison =
  | { readonly kind: 'new' | 'removed' }
  | {
      readonly kind: 'compared';
      /** Dearest costs over the writes that either study found, cost units. Each revision is asked about all of them. */
      readonly cost: {
        readonly base: number;
        readonly head: number;
        readonly ratio?: number;
        readonly verdict: 'equal' | 'dearer' | 'cheaper';
      };
      /** One evaluation on the same value, by interleaved pairs; absent if it takes too short a time, or was not measured. */
      readonly time?: {
        readonly engine: EngineLabel;
        /** Median of head ÷ base, with its 95 % interval. */
        readonly ratio: number;
        readonly lo: number;
        readonly hi: number;
        readonly verdict: 'equal' | 'slower' | 'faster' | 'undecided';
        readonly pairs: number;
      };
    };

/** The findings about one rule. */
export interface RuleFindings extends RuleKey {
  readonly rule: string;
  /** The server's estimates for one evaluation and for a whole object, cost units as decimal text; absent if there are none. */
  readonly estimate?: { readonly call: string; readonly object: string };
  /** Fields with whose size the cost grows, the steepest first. */
  readonly growsWith: readonly GrowsWith[];
  /** Fields that multiply; absent if there are none. */
  readonly growsTogether?: GrowsTogether;
  /** The first length of the steepest field that a server refuses; absent if no write within 3 MiB and the schema's bounds is refused. */
  readonly budgetEndsAt?: BudgetEnd;
  /** The dearest write that was found; absent if none was accepted or ended by a limit. */
  readonly worst?: DearestWrite;
  /** Estimate of an object ÷ cost of the dearest write; below 1 the estimate is no bound. */
  readonly estimateOverWorst?: number;
  /** The first obstacle to the dearest value of the rule by itself; absent if there is none. */
  readonly obstacle?: string;
  /** The reason why the rule was not studied; absent if it was. */
  readonly notStudied?: string;
  /** True if the time was over before the study came to its end. */
  readonly isPartial: boolean;
  readonly suggestedBounds: readonly SuggestedBound[];
  /** Cost units of one evaluation at all suggested bounds; absent if there are none. */
  readonly costAtSuggested?: number;
  readonly times: readonly MeasuredTime[];
  readonly claims: readonly StudyClaim[];
  /** The time of an API server for one evaluation in the dearest write; absent if the times were not taken. */
  readonly serverTime?: PredictedTime;
  /** The share of the time for which the measuring thread had no core, 0 to 1. Absent if it was too small to make the times too long. */
  readonly disturbed?: number;
  readonly base?: BaseComparison;
}

/** The findings about a rule of one of several definitions. */
export interface PlacedFindings extends RuleFindings {
  /** `widgets.example.com` */
  readonly definition: string;
  /** File and number of the document. */
  readonly source: string;
}

/** A definition under study. */
export interface StudiedDefinitionReport {
  /** File and number of the document. */
  readonly source: string;
  /** `widgets.example.com`; absent if the definition was not priced. */
  readonly definition?: string;
  /** Rules that the study was asked for. */
  readonly rules: number;
  /** The message with which a server refuses the definition, cut if it is long; absent if a server takes it. */
  readonly refused?: string;
  /** The reason why no rule of the definition was studied; absent if rules were, or if there is none. */
  readonly notStudied?: string;
}

/** A piece of a study's work that took long. */
export interface SlowCell {
  /** `explain`, `costs`, `times` or `compare`, among others. */
  readonly kind: string;
  /** `widgets.example.com`; absent if it is not known. */
  readonly definition?: string;
  /** Version and path of the rule; absent if the piece is about a whole definition. */
  readonly rule?: string;
  /** The process that performed it; absent if there is only one. */
  readonly node?: string;
  /** Time of a thread, ms. */
  readonly ms: number;
}

/** A study of all rules of some definitions. */
export interface StudyReport {
  /** The form of the report: fields may be added to a version, and a change of meaning is a new version. */
  readonly schema: 'assay.dev/study/v1';
  readonly kubernetesVersion: string;
  readonly seed: number;
  /** Version of the run time. */
  readonly node: string;
  readonly cpu: string;
  /** The processes of a fleet that measured, each with the number of cells that it performed; absent if one process measured all. Times are of the first. */
  readonly nodes?: readonly { readonly node: string; readonly cells: number }[];
  /** The slowest pieces of work, ten at most, the slowest first; absent without a service. */
  readonly slowestCells?: readonly SlowCell[];
  /** The trace of the request that ordered the study; absent if it was not traced. */
  readonly traceId?: string;
  /** The address of that trace; absent if the service knows none. */
  readonly trace?: string;
  readonly budgetMs: number;
  /** True if the time was over before every study came to its end, or if somebody ended it. */
  readonly isPartial: boolean;
  /** The older revision; absent if there is none. */
  readonly base?: string;
  readonly definitions: readonly StudiedDefinitionReport[];
  readonly rules: readonly PlacedFindings[];
  /** Rules that were not studied, by reason. */
  readonly notStudied: readonly { readonly reason: string; readonly rules: number }[];
}
