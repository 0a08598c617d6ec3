import type { JsonValue, Minor, Status } from '#kube';
import type { RuleCost } from './verdict.ts';

/** A definition ready to judge objects, with what it costs. Opaque but for these fields. */
export interface CompiledDefinition {
  readonly minor: Minor;
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Names of the versions, in the order of the definition. */
  readonly versions: readonly string[];
  /** Every rule of every version with its static cost. */
  readonly rules: readonly RuleCost[];
  /** Sum of rule costs per version. */
  readonly schemaCost: ReadonlyMap<string, bigint>;
}

/** A compiled definition, or why the server would refuse it. */
export type DefinitionOutcome =
  | { readonly ok: true; readonly definition: CompiledDefinition; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly status: Status; readonly warnings: readonly string[] };

/** Compiles a CustomResourceDefinition as a server of that minor would accept it as new. */
export function compileDefinition(_document: JsonValue, _options: { readonly minor: Minor }): DefinitionOutcome {
  throw new Error('not implemented');
}
