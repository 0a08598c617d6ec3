import type { GrowthName } from '../figures/cost-growth.ts';
import type { FieldChoice } from '../values/choice.ts';

/** Name of an engine whose times are reported. */
export type EngineLabel = AssayEngine | 'Kubernetes in Go';

/** Name of an engine of Assay whose times are reported. */
export type AssayEngine = 'Assay compiled' | 'Assay interpreted';

/** Key of a rule: the served version, and the path in the version's schema, such as `properties[spec].x-kubernetes-validations[0]`. */
export interface RuleKey {
  readonly version: string;
  readonly path: string;
}

/**
 * Description from which a create or update of an object can be generated. It says how each field is filled, and which old value an update
 * has. Fields are named like `spec.rules[].name`. `[]` means elements of a list, `{}` means values of a map.
 */
export interface WritePlan {
  readonly fields: Readonly<Record<string, FieldChoice>>;
  readonly old: 'same' | 'other' | 'smaller' | 'none';
}

/** Unit in which the size of a field is counted. */
export type SizeUnit = 'items' | 'properties' | 'code points' | 'code points of keys';

/** Estimated exponent of the growth of a cost or time with a size. `lo` and `hi` are the ends of the 95 % confidence interval. */
export interface ExponentFigure {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
}

/** Times of one evaluation of a rule at growing sizes of a field, measured with one engine. */
export interface TimeSeries {
  readonly engine: EngineLabel;
  /**
   * Exponent of the growth of the time with the size. Absent if the longest evaluation is too short to be measured, or if the time does not
   * grow.
   */
  readonly exponent?: ExponentFigure;
  readonly points: readonly { readonly size: number; readonly ms: number }[];
}

/**
 * Growth of a rule's cost with the size of one field. If a field has several sizes, such as its number of entries and the length of its
 * keys, `unit` names the size that grows.
 */
export interface GrowsWith {
  readonly field: string;
  readonly unit: SizeUnit;
  /** Bound of the field's size in the schema, in `unit`. Absent if the schema has no bound. */
  readonly bound?: number;
  /**
   * Exponent of the growth of the cost. It is 1 if the cost is proportional to the size, and 2 if the cost is proportional to the square of
   * the size.
   */
  readonly costExponent: number;
  /** Known form of growth that the cost has or is close to. Absent if the cost is close to no known form. */
  readonly near?: GrowthName;
  /** Cost units of one evaluation if the field's size is the schema's bound and the sizes of all other fields are small. */
  readonly costAtBound?: number;
  /**
   * Smallest size at which one evaluation would exceed the server's cost limit if the schema had no bound for this field. All other sizes
   * that raise the cost are as large as the schema allows. Present only for the field with the steepest growth.
   */
  readonly wouldEndAt?: number;
  /** Cost units of one evaluation at different sizes of the field. */
  readonly points: readonly { readonly size: number; readonly cost: number }[];
  /** Exponent of the growth of the time in Assay compiled, the engine that validates objects. Absent if it cannot be determined. */
  readonly timeExponent?: ExponentFigure;
  /**
   * Times of one evaluation at different sizes, with one series for each engine. Empty for all fields except the field with the steepest
   * growth.
   */
  readonly times: readonly TimeSeries[];
}

/**
 * Growth of a rule's cost if several fields grow together and have the same size. In relation to the bytes of the value, the cost then
 * grows faster than with a single growing field.
 */
export interface GrowsTogether {
  /** Two or more fields, the one with the steepest growth first. */
  readonly fields: readonly { readonly field: string; readonly unit: SizeUnit }[];
  /**
   * Exponent of the growth of the cost with the common size of the fields. It is 2 if the cost is proportional to the product of two sizes.
   */
  readonly costExponent: number;
  /** Known form of growth that the cost has or is close to. Absent if the cost is close to no known form. */
  readonly near?: GrowthName;
  /**
   * Smallest common size of the fields at which one evaluation would exceed the server's cost limit if the schema had no bounds for these
   * fields. All other sizes that raise the cost are as large as the schema allows. Absent if there is no such size.
   */
  readonly wouldEndAt?: number;
  /** Cost units of one evaluation, by the size that all fields have in common. */
  readonly points: readonly { readonly size: number; readonly cost: number }[];
}

/**
 * Smallest size of a field at which a write was found that the schema accepts and a cost limit refuses. The study confirms the size with two
 * complete objects. The object of this size is refused, and the object of the next smaller size is accepted. All other sizes that raise the
 * cost are as large as the study could make them.
 */
export interface BudgetEnd {
  readonly field: string;
  readonly unit: SizeUnit;
  /** Fields that grow together with `field` and have the same size. Absent if `field` grows alone. */
  readonly together?: readonly string[];
  readonly size: number;
  /** Limit that stops the evaluation of the rule: the limit of one evaluation, or the limit of all rules of an object. */
  readonly limit: 'call' | 'object';
  /** Sizes of the other fields that raise the cost, in the refused write. Absent if there are no such fields. */
  readonly others?: readonly { readonly field: string; readonly unit: SizeUnit; readonly size: number }[];
  /**
   * True if other fields raise the cost, but stayed small in the refused write, because the study found no write in which they are larger.
   * A write with fewer elements may then be refused, too. Absent otherwise.
   */
  readonly alone?: true;
  /** Plan of the refused write. */
  readonly plan: WritePlan;
}

/** Most expensive create or update that a study found for a rule. More expensive writes may exist. */
export interface CostliestWrite {
  /** Cost units of all evaluations of the rule in the write. If a cost limit ended the write, only the cost units up to the limit count. */
  readonly cost: number;
  readonly evaluations: number;
  /** Size of the object in bytes of JSON. */
  readonly bytes: number;
  /** Outcome of the write: `accepted`, or the cost limit that ended the write. */
  readonly end: 'accepted' | 'call' | 'object';
  readonly plan: WritePlan;
}

/** Measured time for the most expensive write that was found, or for compiling the definition. */
export interface MeasuredTime {
  readonly engine: EngineLabel;
  /**
   * What was measured. `rule`: one evaluation of the rule. `write`: the whole write from bytes to verdict. `compile`: compiling the
   * definition.
   */
  readonly what: 'rule' | 'write' | 'compile';
  /** Median of the measured times, in ms. */
  readonly ms: number;
  /** Time per cost unit in ns. Present only if `what` is `rule`. */
  readonly nsPerUnit?: number;
  /**
   * `nsPerUnit` divided by the median of the time per cost unit of many functions, measured with the same engine in the same study. Present
   * only if `what` is `rule`.
   */
  readonly timesMedian?: number;
  /** Bytes of heap that one execution of the measured work allocates. Absent if the platform does not report heap usage. */
  readonly heapBytes?: number;
}

/** Time of an API server for one evaluation of a rule, predicted by a calibrated model. */
export type PredictedTime =
  | {
      readonly kind: 'predicted';
      /** Predicted CPU time of the thread that evaluates the rule, in ms. */
      readonly ms: number;
      /** Family of rules to which the rule belongs. Predictions for this family were within a factor of two for nine of ten rules. */
      readonly family: string;
    }
  | { readonly kind: 'notPredicted'; readonly reason: string };

/** Claim of KEP-2876 about the cost of rules, and a verdict: do the measured times of this rule agree with the claim? */
export interface StudyClaim {
  readonly claim: string;
  readonly found: string;
  readonly verdict: 'holds' | 'in part' | 'fails' | 'not measured';
}

/**
 * A bound in the schema that would reduce the rule's cost estimate below its limit. If a server refused the most expensive write that the
 * study found at the suggested bounds, the bound is lower than the estimate requires.
 */
export interface SuggestedBound {
  readonly field: string;
  readonly keyword: string;
  readonly suggested: number;
  readonly before: number | null;
}

/** Comparison of the rule with its older revision. */
export type BaseComparison =
  | { readonly kind: 'new' | 'removed' }
  | {
      readonly kind: 'compared';
      /**
       * Highest cost of each revision in cost units. The study found writes for each of the two revisions, and it evaluates both revisions
       * on all these writes.
       */
      readonly cost: {
        readonly base: number;
        readonly head: number;
        readonly ratio?: number;
        readonly verdict: 'equal' | 'dearer' | 'cheaper';
      };
      /**
       * Times of one evaluation of each revision on the same value. Code for both revisions is generated again several times. Absent if the
       * study had too little time to compare times, or if times were not measured.
       */
      readonly time?: {
        readonly engine: EngineLabel;
        /**
         * Median of the time ratios of all pairs of programs, with its 95 % interval. Each ratio is the time of the newer revision divided
         * by the time of the base.
         */
        readonly ratio: number;
        readonly lo: number;
        readonly hi: number;
        readonly verdict: 'equal' | 'slower' | 'faster' | 'undecided';
        /** Number of pairs of programs, one program of each revision. The code of each program was generated for this comparison. */
        readonly pairs: number;
      };
    };

/**
 * Effect of a change of a definition on a rule, in the order in which a study studies rules.
 *
 * - `new`: the rule has no partner in the older revision.
 * - `changed`: the text of the rule is another, but similar one.
 * - `moved`: the same text is at another schema node.
 * - `fields`: the rule is the same, but its estimate changed, or fields or bounds that it reads.
 * - `none`: the change does not touch the rule.
 * - `gone`: only the older revision has the rule.
 */
export type RuleChange = 'new' | 'changed' | 'moved' | 'fields' | 'none' | 'gone';

/** The findings about one rule. */
export interface RuleFindings extends RuleKey {
  readonly rule: string;
  /**
   * The server's cost estimates for one evaluation and for a whole object, in cost units as decimal text. Absent if there are no estimates.
   */
  readonly estimate?: { readonly call: string; readonly object: string };
  /** Fields whose size raises the cost. The field with the steepest growth is first. */
  readonly growsWith: readonly GrowsWith[];
  /** Growth of the cost with several fields whose sizes multiply in the cost. Absent if there are no such fields. */
  readonly growsTogether?: GrowsTogether;
  /**
   * Smallest size of the field with the steepest growth at which a server rejects the write. Absent if the study found no write within 3
   * MiB and within the schema's bounds that a server rejects for its cost.
   */
  readonly budgetEndsAt?: BudgetEnd;
  /** The most expensive write that the study found. Absent if each write that it tried was refused for another reason than its cost. */
  readonly worst?: CostliestWrite;
  /**
   * Cost estimate for an object divided by the cost of the most expensive write. If the quotient is below 1, the estimate is lower than an
   * actual cost.
   */
  readonly estimateOverWorst?: number;
  /** First reason for which a server rejects an object with the value for which the rule costs most. Absent if there is none. */
  readonly obstacle?: string;
  /** Reason why the rule was not studied. Absent if it was studied. */
  readonly notStudied?: string;
  /** True if the time limit was reached before the study was complete. */
  readonly isPartial: boolean;
  /**
   * Part of the work on the rule that the time did not suffice for, or that ended its thread. `study`: nothing is known about the rule's
   * cost. `comparison`: the rule was not compared with its partner in the older revision. Absent if there is none.
   */
  readonly cutOff?: 'study' | 'comparison';
  readonly suggestedBounds: readonly SuggestedBound[];
  /** Cost units of one evaluation in the most expensive write at the suggested bounds. Absent if there are no suggested bounds. */
  readonly costAtSuggested?: number;
  readonly times: readonly MeasuredTime[];
  readonly claims: readonly StudyClaim[];
  /** Predicted time of an API server for one evaluation in the most expensive write. Absent if no times were measured. */
  readonly serverTime?: PredictedTime;
  /**
   * Share of the time, from 0 to 1, for which the measuring thread had no CPU core. Absent if the share was too small to affect the times.
   */
  readonly disturbed?: number;
  readonly base?: BaseComparison;
  /** Change of the rule since the older revision. Absent if there is no older revision. */
  readonly change?: RuleChange;
  /** Growth of the cost of the older revision's rule that this rule replaces. Absent if there is no such rule, or if its growth is not known. */
  readonly baseGrowth?: RuleGrowth;
}

/** Growth of a rule's cost with the sizes of fields, and the size at which a cost limit stops the evaluation of the rule. */
export type RuleGrowth = Pick<RuleFindings, 'growsWith' | 'growsTogether' | 'budgetEndsAt'>;

/** The findings about a rule, with the definition to which the rule belongs. */
export interface PlacedFindings extends RuleFindings {
  /** Name of the definition, such as `widgets.example.com`. */
  readonly definition: string;
  /**
   * Place of the definition. In the command line tool, it is the file and the number of the definition in the file, from 1: `crds.yaml#2`.
   * In the service and the library, it is the index in the request, from 0: `definitions[0]`.
   */
  readonly source: string;
}

/** Definition for which a study was requested, and the reason if the definition could not be studied. */
export interface StudiedDefinitionReport {
  /**
   * Place of the definition. In the command line tool, it is the file and the number of the definition in the file, from 1: `crds.yaml#2`.
   * In the service and the library, it is the index in the request, from 0: `definitions[0]`.
   */
  readonly source: string;
  /** Name of the definition, such as `widgets.example.com`. Absent if the costs of the definition's rules were not estimated. */
  readonly definition?: string;
  /** Name of the CompositeResourceDefinition from which Assay made the definition. Absent for other definitions. */
  readonly composite?: string;
  /** Number of the definition's rules for which a study was requested. */
  readonly rules: number;
  /** Message with which a server rejects the definition, shortened if it is long. Absent if a server accepts the definition. */
  readonly refused?: string;
  /** Reason why no rule of the definition was studied. Absent if rules were studied, or if the definition has no rules. */
  readonly notStudied?: string;
}

/** A cell of a study that took long. */
export interface SlowCell {
  /** Kind of work that the cell of a study performs: for example `explain`, `costs`, `times` or `compare`. */
  readonly kind: string;
  /** Name of the definition, such as `widgets.example.com`. Absent if it is not known. */
  readonly definition?: string;
  /** Version and path of the rule. Absent if the work is about a whole definition. */
  readonly rule?: string;
  /** Name of the process that performed the work. Absent if there is only one process. */
  readonly node?: string;
  /** Time for which a thread performed the work, in ms. */
  readonly ms: number;
}

/** Findings of a study (benchmark) that measures the cost and the time of all rules in several definitions. */
export interface Study {
  /**
   * Version of the report's format. A format version can gain fields. If the meaning of a field changes, the report gets a new format
   * version.
   */
  readonly schema: 'assay.dev/study/v1';
  readonly kubernetesVersion: string;
  readonly seed: number;
  readonly budgetMs: number;
  /** True if the time limit was reached before the studies of all rules were complete, or if a user ended the study. */
  readonly isPartial: boolean;
  /** Name of the older revision with which the rules are compared. Absent if there is no older revision. */
  readonly base?: string;
  readonly definitions: readonly StudiedDefinitionReport[];
  readonly rules: readonly PlacedFindings[];
  /** Number of rules that were not studied, by reason. */
  readonly notStudied: readonly { readonly reason: string; readonly rules: number }[];
}

/** Report of a study: its findings, and the processes in which it ran. */
export interface StudyReport extends Study {
  /** Version of the JavaScript runtime. */
  readonly node: string;
  readonly cpu: string;
  /**
   * Processes of a fleet that took part in the study, each with the number of cells of the study that it performed. Absent if the study did
   * not run in a fleet. Measured times come from the first process.
   */
  readonly nodes?: readonly { readonly node: string; readonly cells: number }[];
  /** Slowest parts of the study, at most ten, the slowest first. Absent if the study did not run in a service. */
  readonly slowestCells?: readonly SlowCell[];
  /** Id of the trace of the request that started the study. Absent if the request was not traced. */
  readonly traceId?: string;
  /** URL of the trace of the request that started the study. Absent if the service has no URL for traces. */
  readonly trace?: string;
}
