import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';

/** Rules for converting object literals to data. They differ between Kubernetes minor versions. */
export interface LiteralRules {
  /**
   * Handling of an object literal in a list or map that is the value of a JSON patch operation. Until Kubernetes 1.34, such a literal makes
   * the server panic.
   */
  readonly nestedLiterals: 'converted' | 'panic';
  /**
   * Handling of nulls in a value that a literal takes from an object. Until Kubernetes 1.36, these nulls are kept. Since Kubernetes 1.37,
   * each of them becomes a foreign value, which has no JSON form.
   */
  readonly nulls: 'foreign' | 'kept';
}

/** Returns the rules by which a Kubernetes minor version converts object literals of CEL expressions to JSON data. */
export const literalRules = (minor: Minor): LiteralRules => ({
  nestedLiterals: policyHas(minor, 'nestedLiteralsConvert') ? 'converted' : 'panic',
  nulls: policyHas(minor, 'nullsInLiteralsAreForeign') ? 'foreign' : 'kept',
});
