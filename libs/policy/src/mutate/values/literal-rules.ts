import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';

/** How a minor turns the values of literals into data. */
export interface LiteralRules {
  /** Until 1.34, an object literal in a list or map that is the value of a JSON patch makes the server panic. */
  readonly nestedLiterals: 'converted' | 'panic';
  /** Until 1.36, what comes from an object goes into a literal as it is, nulls included; since then a null in it is no JSON. */
  readonly nulls: 'foreign' | 'kept';
}

/** The rules of a minor. */
export const literalRules = (minor: Minor): LiteralRules => ({
  nestedLiterals: policyHas(minor, 'nestedLiteralsConvert') ? 'converted' : 'panic',
  nulls: policyHas(minor, 'nullsInLiteralsAreForeign') ? 'foreign' : 'kept',
});
