import type { DefinitionWording } from '../wording.ts';

/** The requirements for all nodes of a schema. */
export interface NodeDemands {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  /** Expressions are not refused for their own cost. */
  readonly suppressCost: boolean;
  readonly wording: DefinitionWording;
}
