import type { Minor } from '#kube';
import type { CostBound } from './explanation.ts';

/**
 * How far a bound, such as `maxItems`, may rise in one version of a definition before a server refuses the definition. All other bounds stay
 * as they are. The cost of the rules limits it.
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
  /** True if the server accepts the version with the bound as it is. */
  readonly fitsNow: boolean;
}
