import { additionsOf, definitionWrite, inMinor, serverOf } from '#documents';
import type { Additions, BoundCeiling, DefinitionSlice, EvaluationOptions, FoundBounds } from '#documents';
import { USUAL_CHOICE } from '#kube';
import type { BoundChoice, Minor } from '#kube';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import type { CausesOfDefinitions } from './find-causes.ts';

/** Servers that must accept the definition: one of each minor version, with the feature gates of the options. */
interface AcceptingServers {
  readonly minors: readonly Minor[];
  readonly options: EvaluationOptions;
  /** Bounds that may change, and the values that they may get. By default, only missing bounds get values, which are round numbers. */
  readonly choice?: BoundChoice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Definitions that several minor versions judged, with the causes of different verdicts. */
interface DifferingDefinitions {
  readonly definitions: readonly DefinitionSlice[];
  readonly causes: CausesOfDefinitions;
  readonly columns: readonly JudgedTexts[];
}

/**
 * Searches for size bounds, such as `maxItems`, with which servers of all minor versions accept a definition. Returns undefined if `signal`
 * stops the work, and a reason if the definition breaks the engine.
 */
export async function findBounds(
  engine: Engine,
  definition: DefinitionSlice,
  { minors, options, choice = USUAL_CHOICE, signal }: AcceptingServers,
): Promise<FoundBounds | undefined> {
  const servers = minors.map((minor) => serverOf(inMinor(options, minor)));
  const work = { kind: 'bounds', definition, servers, choice, ...definitionWrite({ slice: definition }, options) } as const;
  const answer = await engine.run(work, { ...(signal && { signal }) });
  if (answer.kind === 'done') return answer.result;
  return answer.kind === 'broken' ? { kind: 'none', why: 'it ended the engine that explained it' } : undefined;
}

/**
 * Returns the smallest additions to each definition with which all compared versions accept it. An entry is undefined if their verdicts
 * are the same, if the definition was judged as an update, or if the work was stopped.
 */
export function findAdditions(
  engine: Engine,
  { definitions, causes, columns }: DifferingDefinitions,
  servers: AcceptingServers,
): Promise<readonly (Additions | undefined)[]> {
  return Promise.all(
    definitions.map(async (definition, i) => {
      const differs = causes[i]?.some(({ about }) => about === 'verdict') === true;
      const isUpdate = columns.some(({ judged }) => judged[i]?.report.updateOf !== undefined);
      return differs && !isUpdate ? additionsTo(engine, definition, servers) : undefined;
    }),
  );
}

async function additionsTo(engine: Engine, definition: DefinitionSlice, servers: AcceptingServers): Promise<Additions | undefined> {
  const found = await findBounds(engine, definition, servers);
  return found && (additionsOf(found) ?? { why: 'all of them accept it' });
}

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
