import type { DefinitionWording } from '../wording.ts';

/** Requirements that apply to all nodes of a schema. */
export interface NodeDemands {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  /** True if expressions are accepted even when they exceed their own cost limit. */
  readonly suppressCost: boolean;
  readonly wording: DefinitionWording;
}
