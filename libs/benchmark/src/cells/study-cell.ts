import type { DocumentSlice } from '#documents';
import type { PricedWrite, WriteTerms } from './price-write.ts';
import type { SizeLadder } from './size-ladder.ts';
import type {
  AssayEngine,
  BaseComparison,
  BudgetEnd,
  CostliestWrite,
  GrowsTogether,
  GrowsWith,
  MeasuredTime,
  PredictedTime,
  RuleKey,
  SizeUnit,
  StudyClaim,
  TimeSeries,
  WritePlan,
} from '../study/study-report.ts';

/**
 * Part of a study that runs without interruption for about `ms` milliseconds at most. When the time is over, the part ends and returns its
 * findings.
 */
export type StudyCell = CostsCell | TimesCell | CompareCell | CompileCell | EvaluationCell | WriteCell | LadderCell | PriceCell;

/**
 * Cell of a study for one rule. It determines how the rule's cost grows, and finds the create or update request for which the rule is most
 * expensive.
 */
export interface CostsCell {
  readonly kind: 'costs';
  readonly rule: RuleKey;
  readonly ms: number;
  readonly seed: number;
  /** The user's objects, from which the search begins. Objects of another kind than the definition's are ignored. */
  readonly objects: readonly DocumentSlice[];
  /** Writes that were found earlier: for this rule by a shorter search, or for the same rule in another version or revision. */
  readonly hints: readonly WritePlan[];
  /** Suggested bounds of fields. The findings include bounds at which a server accepts the most expensive write, and its cost. */
  readonly suggested?: readonly { readonly field: string; readonly unit: SizeUnit; readonly size: number }[];
  /** Accepted write from which the growth is studied. If this write is given, the cell does not search for another write. */
  readonly start?: WritePlan;
}

/**
 * Cell of a study that measures how long a rule takes. It measures the write request for which the rule is most expensive. It also measures
 * the rule at several sizes of the field with which the cost grows most steeply.
 */
export interface TimesCell {
  readonly kind: 'times';
  readonly rule: RuleKey;
  readonly ms: number;
  readonly seed: number;
  readonly worst: WritePlan;
  /** The field along which the cost grows most steeply, sizes with known costs, and the write that is varied to these sizes. */
  readonly steepest?: { readonly field: string; readonly unit: SizeUnit; readonly sizes: readonly number[]; readonly from: WritePlan };
}

/** Cell of a study that compares a rule with its older revision. */
export interface CompareCell {
  readonly kind: 'compare';
  readonly rule: RuleKey;
  /** Time limit in ms for comparing the times. 0 compares only the costs. */
  readonly ms: number;
  /** Key of the rule in the older revision. */
  readonly baseRule: RuleKey;
  /** Writes that were found for either of the two revisions. */
  readonly plans: readonly WritePlan[];
}

/**
 * Cell of a study that measures the time of compiling the definition. It also measures the median time per cost unit of many CEL functions.
 */
export interface CompileCell {
  readonly kind: 'compile';
  readonly ms: number;
}

/**
 * Cell (unit of work of a study) that describes one evaluation of a rule as JSON texts, for engines outside Assay. The evaluation belongs
 * to the create or update request that `worst` describes.
 */
export interface EvaluationCell {
  readonly kind: 'evaluation';
  readonly rule: RuleKey;
  readonly worst: WritePlan;
}

/** Cell of a study that returns the whole object of a write request, so that the request can be sent to HTTP services. */
export interface WriteCell {
  readonly kind: 'write';
  readonly rule: RuleKey;
  readonly worst: WritePlan;
}

/** Cell of a study that builds the most expensive create of a rule and smaller ones, with their costs and predicted times. */
export interface LadderCell extends WriteTerms {
  readonly kind: 'ladder';
  readonly rule: RuleKey;
  readonly worst: WritePlan;
  /** Longest predicted time of a create in ms. Creates without a prediction count as short. */
  readonly maxMs: number;
}

/** Cell of a study that determines the cost and the predicted time of creating a given object. */
export interface PriceCell extends WriteTerms {
  readonly kind: 'price';
  /** API version of the object, such as `v1`. */
  readonly version: string;
  /** Object as JSON. */
  readonly object: string;
}

/** An evaluation of one rule, as JSON texts. */
export interface EvaluationText {
  /** Schema of the node at which the rule is declared, with this rule as the only rule. */
  readonly schema: string;
  /** True if the rule is declared at the root of the object. */
  readonly root: boolean;
  readonly value: string;
  /** Cost of the evaluation in cost units. */
  readonly cost: number;
  /** JSON of the old value. Absent if the rule is evaluated without an old value. */
  readonly old?: string;
}

/** Findings of a {@link CostsCell}: how the cost of one rule grows, and the write request for which the rule is most expensive. */
export interface CostFindings {
  readonly growsWith: readonly Omit<GrowsWith, 'times' | 'timeExponent'>[];
  readonly growsTogether?: GrowsTogether;
  readonly budgetEndsAt?: BudgetEnd;
  /**
   * Suggested bounds at which a server accepts the most expensive write that the search found. They are at most as large as the bounds in the
   * cell. Empty if a server would refuse the most expensive write at all bounds of these fields. Absent if no bounds are suggested.
   */
  readonly heldBounds?: NonNullable<CostsCell['suggested']>;
  /** Cost units of one evaluation in the most expensive write at these bounds. Absent if no bounds are suggested. */
  readonly costAtSuggested?: number;
  readonly worst?: CostliestWrite;
  readonly obstacle?: string;
  readonly notStudied?: string;
  readonly isPartial: boolean;
  /** True if an object of the user, enlarged or not, is accepted and evaluates the rule. Absent otherwise. */
  readonly isReached?: true;
  /** Accepted write from which the series of costs start. Absent if no accepted write was found. */
  readonly from?: WritePlan;
}

/** Findings of a {@link TimesCell}, the part of a study that measures the times of a rule. */
export interface TimeFindings {
  readonly times: readonly MeasuredTime[];
  readonly series: readonly TimeSeries[];
  readonly claims: readonly StudyClaim[];
  readonly serverTime: PredictedTime;
  /** Share of the time, from 0 to 1, for which the measuring thread had no CPU core. Absent if the share is at most 0.2 or not known. */
  readonly disturbed?: number;
}

/** Findings of a {@link CompileCell}: the time of compiling the definition, and the time per cost unit of each engine. */
export interface CompileFindings {
  readonly time: MeasuredTime;
  /** Time per cost unit in ns, by engine. The value is the median over many functions. */
  readonly nsPerUnit: Readonly<Record<AssayEngine, number>>;
}

/** Types of the findings of a cell of a study, by the `kind` of the cell. */
export interface CellFindings {
  readonly costs: CostFindings;
  readonly times: TimeFindings;
  readonly compare: BaseComparison;
  readonly compile: CompileFindings;
  readonly evaluation: EvaluationText | undefined;
  /**
   * JSON of the write, in the form of an item of an evaluation request. Undefined if no verdict on the object of the plan can be computed.
   */
  readonly write: string | undefined;
  readonly ladder: SizeLadder;
  /** Undefined if the object cannot be read, or if the validation was cancelled. */
  readonly price: PricedWrite | undefined;
}
