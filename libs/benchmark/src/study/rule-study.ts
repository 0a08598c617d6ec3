import type { CostGrowth, CostPoint } from '../figures/cost-growth.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';

/** The growth of a rule's cost with one size of one field. */
export interface FieldGrowth {
  /** Path of the field in the object, such as `.spec.rules[].name`. `[]` means elements of a list, `{}` means values of a map. */
  readonly field: string;
  readonly unit: Dimension['unit'];
  /** The schema's bound for this size, in `unit`. Undefined if there is no bound. */
  readonly bound: number | undefined;
  readonly growth: CostGrowth;
  /** Cost of one evaluation at the schema's bound. Undefined if there is no bound, or if no value can be built at the bound. */
  readonly costAtBound: number | undefined;
  /**
   * First size at which one evaluation would exceed its limit if the schema had no bound. It is determined only for the field with the
   * steepest growth.
   */
  readonly wouldEndAt: number | undefined;
  /** Costs of one evaluation, cost units, by size. The other fields are as in the object from which the series starts. */
  readonly points: readonly CostPoint[];
}

/**
 * Growth of a rule's cost with the sizes of several fields that grow together. Relative to the bytes of the value, the cost grows faster
 * than with each field alone.
 */
export interface JointFieldGrowth {
  /** Two or more fields, the one with the steepest growth first. */
  readonly fields: readonly Pick<Dimension, 'field' | 'unit'>[];
  readonly growth: CostGrowth;
  /**
   * First common size of the fields at which one evaluation would exceed its limit if the schema had no bounds. Undefined if there is no
   * such size.
   */
  readonly wouldEndAt: number | undefined;
  /** Costs of one evaluation in cost units, by the size that all fields have in common. */
  readonly points: readonly CostPoint[];
}

/**
 * The size at which a server's cost limit ends the rule. It is confirmed by whole writes of up to 3 MiB at this size and at the size below.
 */
export interface LimitFound {
  readonly field: string;
  readonly unit: Dimension['unit'];
  /** Other fields that have the same size; empty if only one field grows. */
  readonly together: readonly string[];
  /** First size that is rejected. */
  readonly size: number;
  /** Limit that ends the rule: the limit of one evaluation, or the limit of all rules of an object. */
  readonly limit: 'call' | 'object';
}

/** The most expensive write that was found. More expensive writes may exist. */
export interface DearestFound {
  /** Cost units of all evaluations of the rule in the write. If a limit ended the write, the cost units up to this point. */
  readonly cost: number;
  readonly evaluations: number;
  /** Size of the object in bytes of JSON. */
  readonly bytes: number;
  /** Outcome of the write: it is accepted, or the named limit ends it. */
  readonly end: 'accepted' | 'call' | 'object';
  /** Plan from which the object is written. */
  readonly candidate: Candidate;
}

/** The findings about one rule. */
export type RuleStudy =
  | {
      readonly kind: 'studied';
      /** The most expensive write that is accepted or that a limit ends. Undefined if none was found. */
      readonly dearest: DearestFound | undefined;
      /** Reason why a whole object with the most expensive value of the rule is rejected. Undefined if nothing rejects it. */
      readonly obstacle: string | undefined;
      /** Growth along each size, the steepest first. */
      readonly growsWith: readonly FieldGrowth[];
      /** Growth with fields whose sizes multiply in the cost. Undefined if there are no such fields. */
      readonly growsTogether: JointFieldGrowth | undefined;
      /** Cost of one evaluation at all suggested bounds. Undefined if no bounds were given, or if no value can be built at the bounds. */
      readonly costAtSuggested: number | undefined;
      readonly endsAt: LimitFound | undefined;
      /** Accepted write from which the series of costs start. Undefined if no accepted write was found. */
      readonly from: Candidate | undefined;
      /** True if the time was over before the study was complete. */
      readonly isPartial: boolean;
      /** Number of evaluations of the rule alone, and number of whole objects that were judged. */
      readonly tries: { readonly evaluations: number; readonly objects: number };
    }
  | { readonly kind: 'notStudied'; readonly reason: string; readonly isPartial: boolean };
