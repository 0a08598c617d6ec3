import type { CostGrowth, CostPoint } from '../figures/cost-growth.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';

/** Size of a field. If it is a bound, it is the largest size that the field may have. */
export interface SizeBound extends Pick<Dimension, 'field' | 'unit'> {
  readonly size: number;
}

/**
 * Growth of a rule's cost with the size of one field. If a field has several sizes, such as its number of entries and the length of its
 * keys, `unit` names the size that grows.
 */
export interface FieldGrowth {
  /** Path of the field in the object, such as `.spec.rules[].name`. `[]` means elements of a list, `{}` means values of a map. */
  readonly field: string;
  readonly unit: Dimension['unit'];
  /** Bound of the field's size in the schema, in `unit`. Undefined if the schema has no bound. */
  readonly bound: number | undefined;
  readonly growth: CostGrowth;
  /**
   * Cost of one evaluation if the field's size is the schema's bound. Undefined if there is no bound, or if no value of that size can be
   * built.
   */
  readonly costAtBound: number | undefined;
  /**
   * First size at which one evaluation would exceed its cost limit if the schema had no bound for this field. All other sizes that raise
   * the cost are as large as the schema allows. Undefined for all fields except the field with the steepest growth.
   */
  readonly wouldEndAt: number | undefined;
  /**
   * Costs of one evaluation in cost units, by the size of the field. All other fields are written as in the object with which the series
   * starts.
   */
  readonly points: readonly CostPoint[];
}

/**
 * Growth of a rule's cost if several fields grow together. The report contains it if the cost for each byte of the rule's value (`self`)
 * grows faster with these fields than with any single field.
 */
export interface JointFieldGrowth {
  /** Two or more fields, the one with the steepest growth first. */
  readonly fields: readonly Pick<Dimension, 'field' | 'unit'>[];
  readonly growth: CostGrowth;
  /**
   * First common size of the fields at which one evaluation would exceed its cost limit if the schema had no bounds for these fields. All
   * other sizes that raise the cost are as large as the schema allows. Undefined if there is no such size.
   */
  readonly wouldEndAt: number | undefined;
  /** Costs of one evaluation in cost units, by the size that all fields have in common. */
  readonly points: readonly CostPoint[];
}

/**
 * Smallest size of a field at which a server's cost limit stops the evaluation of the rule. The study confirms this size with two
 * complete write requests of up to 3 MiB. The request of this size is rejected, and the request of the next smaller size is accepted. All other sizes that raise the cost
 * are as large as the study could make them.
 */
export interface LimitFound {
  readonly field: string;
  readonly unit: Dimension['unit'];
  /** Fields that grow together with `field` and have the same size. Empty if `field` grows alone. */
  readonly together: readonly string[];
  /** Smallest size at which the write is rejected. */
  readonly size: number;
  /** Limit that stops the evaluation of the rule: the limit of one evaluation, or the limit of all rules of an object. */
  readonly limit: 'call' | 'object';
  /** Plan of the rejected write. */
  readonly candidate: Candidate;
  /** Sizes of the other fields that raise the cost, in the rejected write. */
  readonly others: readonly SizeBound[];
  /** True if other fields raise the cost, but the study found no such write in which they are larger than small. */
  readonly isAlone: boolean;
}

/** Most expensive write request that a study found for a rule. More expensive requests may exist. */
export interface CostliestFound {
  /** Cost units of all evaluations of the rule in the write. If a cost limit ended the write, only the cost units up to the limit count. */
  readonly cost: number;
  readonly evaluations: number;
  /** Size of the object in bytes of JSON. */
  readonly bytes: number;
  /** Outcome of the write: `accepted`, or the cost limit that ended the write. */
  readonly end: 'accepted' | 'call' | 'object';
  /** Plan from which the object is written. */
  readonly candidate: Candidate;
}

/** Suggested bounds, and the cost of one evaluation in the most expensive write at these bounds. */
export interface HeldBounds {
  /** Empty if a server would refuse the most expensive write at all bounds of these fields. */
  readonly bounds: readonly SizeBound[];
  /** Cost of the evaluation in cost units. */
  readonly cost: number;
}

/** Result of the study of one rule: what is known about its cost, or the reason why it was not studied. */
export type RuleStudy =
  | {
      readonly kind: 'studied';
      /** The most expensive write that is accepted or that a cost limit ends. Undefined if no such write was found. */
      readonly costliest: CostliestFound | undefined;
      /** Reason why a whole object with the most expensive value of the rule is rejected. Undefined if nothing rejects it. */
      readonly obstacle: string | undefined;
      /** Growth of the cost, one entry for each size of a field that raises it. The steepest growth is first. */
      readonly growsWith: readonly FieldGrowth[];
      /** Growth of the cost with several fields whose sizes multiply in the cost. Undefined if there are no such fields. */
      readonly growsTogether: JointFieldGrowth | undefined;
      /**
       * Suggested bounds at which a server accepts the most expensive write that the study found. They are the given bounds, or lower ones.
       * Undefined if no bounds were given, or if no value of these sizes can be built.
       */
      readonly suggested: HeldBounds | undefined;
      readonly endsAt: LimitFound | undefined;
      /** Accepted write from which the series of costs start. Undefined if no accepted write was found. */
      readonly from: Candidate | undefined;
      /** True if the search began with an object of the user, which is accepted and evaluates the rule. */
      readonly isReached: boolean;
      /** True if the time limit was reached before the study was complete. */
      readonly isPartial: boolean;
      /** Number of evaluations of the rule alone, and number of whole objects that were validated. */
      readonly tries: { readonly evaluations: number; readonly objects: number };
    }
  | { readonly kind: 'notStudied'; readonly reason: string; readonly isPartial: boolean };
