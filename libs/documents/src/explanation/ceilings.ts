import type { Minor } from '#kube';
import type { CostBound } from '../answer-types.ts';

/**
 * Limit of a bound, such as `maxItems`, in one version of a definition. A larger value makes a server refuse the definition, because its rules
 * then cost too much. All other bounds keep their values.
 */
export interface BoundCeiling extends Omit<CostBound, 'drives'> {
  readonly version: string;
  readonly minor: Minor;
  /**
   * `limited`: `highest` is the largest value that the server accepts. `unlimited`: it accepts every value that a request can reach.
   * `refused`: it refuses the definition with every value.
   */
  readonly kind: 'limited' | 'unlimited' | 'refused';
  readonly highest?: number;
  /**
   * Cost that a larger value brings over its limit: version and path of a rule, its messageExpression, or all rules of the version. If the
   * server refuses the definition for other errors than costs, this text says so.
   */
  readonly limitedBy?: string;
  /** True if the server accepts the version with the present bound. */
  readonly fitsNow: boolean;
}
