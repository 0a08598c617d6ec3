import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';

/** Rules for converting literals to data that differ between Kubernetes minor versions. */
export interface LiteralRules {
  /** Until 1.34, an object literal in a list or map that is the value of a JSON patch makes the server panic. */
  readonly nestedLiterals: 'converted' | 'panic';
  /**
   * Handling of nulls in values that a literal takes from an object. Until 1.36 they are kept unchanged. Since then such a null is a
   * foreign value, which is not JSON.
   */
  readonly nulls: 'foreign' | 'kept';
}

/** Returns the rules of a Kubernetes minor version. */
export const literalRules = (minor: Minor): LiteralRules => ({
  nestedLiterals: policyHas(minor, 'nestedLiteralsConvert') ? 'converted' : 'panic',
  nulls: policyHas(minor, 'nullsInLiteralsAreForeign') ? 'foreign' : 'kept',
});
