import { definitionWrite, inMinor, serverOf } from '#documents';
import type { BoundCeiling, DefinitionSlice, EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import type { Engine } from '../ports.ts';

/** Bound of a field, such as `spec.list`, and the minor versions whose servers are asked. */
interface CeilingRequest {
  readonly field: string;
  readonly minors: readonly Minor[];
  readonly options: EvaluationOptions;
}

/**
 * Searches how far a bound of a definition may rise before a server of each minor version refuses the definition. The result is empty if
 * the definition has no such bound. Returns undefined if the definition breaks the engine.
 */
export async function findCeilings(
  engine: Engine,
  definition: DefinitionSlice,
  { field, minors, options }: CeilingRequest,
): Promise<readonly BoundCeiling[] | undefined> {
  const servers = minors.map((minor) => serverOf(inMinor(options, minor)));
  const work = { kind: 'ceilings', definition, servers, field, ...definitionWrite({ slice: definition }, options) } as const;
  const answer = await engine.run(work);
  return answer.kind === 'done' ? answer.result : undefined;
}
