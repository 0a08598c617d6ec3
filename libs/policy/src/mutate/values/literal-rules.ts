import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';

/** The behaviour of a minor for the conversion of literals to data. */
export interface LiteralRules {
  /** Until 1.34, an object literal in a list or map that is the value of a JSON patch makes the server panic. */
  readonly nestedLiterals: 'converted' | 'panic';
  /**
   * Until 1.36, a literal keeps a value from an object unchanged, including nulls. Since then a null inside it is no
   * JSON.
   */
  readonly nulls: 'foreign' | 'kept';
}

/** Returns the rules of a minor. */
export const literalRules = (minor: Minor): LiteralRules => ({
  nestedLiterals: policyHas(minor, 'nestedLiteralsConvert') ? 'converted' : 'panic',
  nulls: policyHas(minor, 'nullsInLiteralsAreForeign') ? 'foreign' : 'kept',
});
