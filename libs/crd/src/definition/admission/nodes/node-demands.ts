import type { DefinitionWording } from '../wording.ts';

/** Requirements that apply to all nodes of a schema. */
export interface NodeDemands {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  /** True if an expression is accepted even if it exceeds the cost limit of a single expression. */
  readonly suppressCost: boolean;
  readonly wording: DefinitionWording;
}
