import type { CostGrowth, CostPoint } from '../figures/cost-growth.ts';
import type { Dimension } from '../search/dimensions.ts';
import type { Candidate } from '../search/rule-probe.ts';

/** The growth of a rule's cost with one size of one field. */
export interface FieldGrowth {
  /** The field in the object: `.spec.rules[].name`; `[]` means elements of a list, `{}` values of a map. */
  readonly field: string;
  readonly unit: Dimension['unit'];
  /** The schema's bound, in that unit; undefined if there is none. */
  readonly bound: number | undefined;
  readonly growth: CostGrowth;
  /** Cost of one evaluation at the schema's bound; undefined if there is none, or no value is built there. */
  readonly costAtBound: number | undefined;
  /** The first size at which one evaluation would be over its limit if the schema had no bound; of the steepest field only. */
  readonly wouldEndAt: number | undefined;
  /** Costs of one evaluation, cost units, by size. The other fields are as in the object from which the series starts. */
  readonly points: readonly CostPoint[];
}

/** The growth of a rule's cost with the sizes of several fields that grow together: faster, by bytes, than with each alone. */
export interface JointFieldGrowth {
  /** Two fields or more, the steepest first. */
  readonly fields: readonly Pick<Dimension, 'field' | 'unit'>[];
  readonly growth: CostGrowth;
  /**
   * The first size of all dimensions at which one evaluation would exceed its limit if the schema had no bounds.
   * Undefined if there is none.
   */
  readonly wouldEndAt: number | undefined;
  /** Costs of one evaluation, cost units, by the size that all of them have. */
  readonly points: readonly CostPoint[];
}

/** A size at which a server ends the rule, confirmed by whole writes of up to 3 MiB at that size and at one less. */
export interface LimitFound {
  readonly field: string;
  readonly unit: Dimension['unit'];
  /** Other fields that have the same size; empty if only one field grows. */
  readonly together: readonly string[];
  /** The first size that is refused. */
  readonly size: number;
  /** The limit of one evaluation, or that of all rules of an object. */
  readonly limit: 'call' | 'object';
}

/** The dearest write that was found: it need not be the worst that there is. */
export interface DearestFound {
  /** Cost units of all evaluations of the rule in the write; if a limit ended it, of those until then. */
  readonly cost: number;
  readonly evaluations: number;
  /** Bytes of JSON. */
  readonly bytes: number;
  /** Acceptance, or the limit that ends the write. */
  readonly end: 'accepted' | 'call' | 'object';
  /** The plan by which it is written. */
  readonly candidate: Candidate;
}

/** The findings about one rule. */
export type RuleStudy =
  | {
      readonly kind: 'studied';
      /** The dearest write that is accepted, or that a limit ends; undefined if none was found. */
      readonly dearest: DearestFound | undefined;
      /** The obstacle that refuses the dearest value of the rule by itself; undefined if there is none. */
      readonly obstacle: string | undefined;
      /** All sizes, the steepest growth first. */
      readonly growsWith: readonly FieldGrowth[];
      /** Undefined if no fields multiply. */
      readonly growsTogether: JointFieldGrowth | undefined;
      /** Cost of one evaluation at suggested bounds; undefined if none were given, or no value is built there. */
      readonly costAtSuggested: number | undefined;
      readonly endsAt: LimitFound | undefined;
      /** The accepted write from which the series of costs start; undefined if none was found. */
      readonly from: Candidate | undefined;
      /** True if the time was over before the search came to its end. */
      readonly isPartial: boolean;
      /** Evaluations of the rule by itself, and whole objects that were judged. */
      readonly tries: { readonly evaluations: number; readonly objects: number };
    }
  | { readonly kind: 'notStudied'; readonly reason: string; readonly isPartial: boolean };
