import type { DocumentSlice } from '#evaluation';
import type {
  AssayEngine,
  BaseComparison,
  BudgetEnd,
  DearestWrite,
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

/** A part of a study that is performed at one go, in at most about `ms` milliseconds. Its own deadline ends it; what it found until then counts. */
export type StudyCell = CostsCell | TimesCell | CompareCell | CompileCell | EvaluationCell | WriteCell;

/** Find the growth of a rule's cost, and its dearest write. */
export interface CostsCell {
  readonly kind: 'costs';
  readonly rule: RuleKey;
  readonly ms: number;
  readonly seed: number;
  /** Objects of the user's, from which the search begins. */
  readonly objects: readonly DocumentSlice[];
  /** Writes that were found before: of this rule by a shorter search, or of the same rule in another version or revision. */
  readonly hints: readonly WritePlan[];
  /** Bounds that are suggested; the cost at all of them is wanted. */
  readonly suggested?: readonly { readonly field: string; readonly unit: SizeUnit; readonly size: number }[];
  /** An accepted write from which growth is studied; no other is searched. */
  readonly start?: WritePlan;
}

/** Take the times of a rule along the steepest field, and of its dearest write. */
export interface TimesCell {
  readonly kind: 'times';
  readonly rule: RuleKey;
  readonly ms: number;
  readonly seed: number;
  readonly worst: WritePlan;
  /** The steepest field, sizes whose cost is known, and the write of which they are sizes. */
  readonly steepest?: { readonly field: string; readonly unit: SizeUnit; readonly sizes: readonly number[]; readonly from: WritePlan };
}

/** Compare a rule with its older revision. */
export interface CompareCell {
  readonly kind: 'compare';
  readonly rule: RuleKey;
  /** Time for the comparison of times, ms; 0 to compare costs alone. */
  readonly ms: number;
  /** The rule of the older revision. */
  readonly baseRule: RuleKey;
  /** The writes that were found for either. */
  readonly plans: readonly WritePlan[];
}

/** Take the time of compiling the definition, and of a cost unit over many functions. */
export interface CompileCell {
  readonly kind: 'compile';
  readonly ms: number;
}

/** Describe the evaluation of a rule in a write, for engines outside Assay. */
export interface EvaluationCell {
  readonly kind: 'evaluation';
  readonly rule: RuleKey;
  readonly worst: WritePlan;
}

/** Describe a write of a whole object, for services. */
export interface WriteCell {
  readonly kind: 'write';
  readonly rule: RuleKey;
  readonly worst: WritePlan;
}

/** An evaluation of one rule, as JSON texts. */
export interface EvaluationText {
  /** The schema of the rule's node, with this rule alone. */
  readonly schema: string;
  /** True if the node is the object itself. */
  readonly root: boolean;
  readonly value: string;
  /** Cost units. */
  readonly cost: number;
  /** Absent if the rule sees no old value. */
  readonly old?: string;
}

/** The findings of a {@link CostsCell}. */
export interface CostFindings {
  readonly growsWith: readonly Omit<GrowsWith, 'times' | 'timeExponent'>[];
  readonly growsTogether?: GrowsTogether;
  readonly budgetEndsAt?: BudgetEnd;
  /** Cost units of one evaluation at the suggested bounds; absent if there are none. */
  readonly costAtSuggested?: number;
  readonly worst?: DearestWrite;
  readonly obstacle?: string;
  readonly notStudied?: string;
  readonly isPartial: boolean;
  /** The accepted write from which the series of costs start; absent if none was found. */
  readonly from?: WritePlan;
}

/** The findings of a {@link TimesCell}. */
export interface TimeFindings {
  readonly times: readonly MeasuredTime[];
  readonly series: readonly TimeSeries[];
  readonly claims: readonly StudyClaim[];
  readonly serverTime: PredictedTime;
  /** The share of the time for which the measuring thread had no core, 0 to 1. Absent if it was too small to make the times too long. */
  readonly disturbed?: number;
}

/** The findings of a {@link CompileCell}. */
export interface CompileFindings {
  readonly time: MeasuredTime;
  /** Median over functions, ns for each cost unit. */
  readonly nsPerUnit: Readonly<Record<AssayEngine, number>>;
}

/** The findings of a cell, by its kind. */
export interface CellFindings {
  readonly costs: CostFindings;
  readonly times: TimeFindings;
  readonly compare: BaseComparison;
  readonly compile: CompileFindings;
  readonly evaluation: EvaluationText | undefined;
  /** An item of an evaluation as JSON. */
  readonly write: string | undefined;
}
