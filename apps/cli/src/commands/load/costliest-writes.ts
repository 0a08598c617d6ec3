import type { PlacedFindings, RuleKey } from '#benchmark';
import { writtenVersion } from '#cluster';
import type { ServedDefinition } from '#cluster';
import type { EvaluationOptions, DefinitionSlice } from '#documents';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { times } from '#numbers';
import type { Engine } from '#runner';
import { studyDefinitions, describeWrites, predictRule } from '#service';
import type { StudyRequest } from '#service';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { ProgressLine } from '../../report/print.ts';

/** Settings of the search for the most expensive writes. */
export interface CostliestSearch extends Partial<Pick<StudyRequest, 'isWanted'>> {
  readonly options: EvaluationOptions;
  /** Time budget in ms. */
  readonly budgetMs: number;
}

/**
 * Searches within a time budget in ms for the most expensive write that each rule of the definitions can get. Returns the rules, the one
 * with the most expensive write first. By default, all rules are searched.
 */
export async function costliestRules(
  definitions: readonly PlacedDocument[],
  { options, budgetMs, isWanted = () => true }: CostliestSearch,
  engine: Engine,
  signal: AbortSignal,
): Promise<readonly PlacedFindings[]> {
  const progress = new ProgressLine();
  const studied = definitions.map(({ source, slice }) => ({ source, slice }));
  const { rules } = await studyDefinitions(
    engine,
    { definitions: studied, options, objects: [], budgetMs, seed: 1, base: undefined, isTimed: false, isWanted },
    { signal, notify: (state) => progress.report(() => `most expensive writes: ${state.known} of ${times(state.rules, 'rule')}`) },
  );
  progress.end();
  return rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0));
}

/** Number of rules whose time is measured: those with the most expensive writes. */
const RULES = 5;

/** Rule with the most expensive object that was found for it. The object is created, and the server accepts it or a cost limit ends it. */
export interface CostliestWrite {
  readonly rule: PlacedFindings;
  readonly object: JsonObject;
}

/** Definition to study, with the data that is needed to find its version. */
export interface StudiedSource {
  readonly source: string;
  readonly slice: DefinitionSlice;
  readonly served: ServedDefinition;
}

/** Most expensive writes of a definition, and the rules that a creation alone cannot measure. */
export interface CostliestWrites {
  /** At most five writes, the most expensive first. */
  readonly writes: readonly CostliestWrite[];
  /** Rules with an expensive write that updates a stored object. Dry runs cannot send it, because no object is stored. */
  readonly needStored: readonly PlacedFindings[];
}

/**
 * Searches within a time budget in ms for the most expensive creations that the rules of a definition can get. Only rules of the version that
 * the server stores are searched, because other versions mostly have the same rules.
 */
export async function costliestWrites(
  { source, slice, served }: StudiedSource,
  { options, budgetMs }: { readonly options: EvaluationOptions; readonly budgetMs: number },
  engine: Engine,
  signal: AbortSignal,
): Promise<CostliestWrites> {
  const wanted = writtenVersion(served);
  const search = { options, budgetMs, isWanted: ({ version }: RuleKey) => version === wanted };
  const rules = await costliestRules([{ source, slice }], search, engine, signal);
  const costliest = rules.filter(({ worst }) => worst !== undefined && worst.cost > 0);
  const created = costliest.filter(({ worst }) => worst?.plan.old === 'none');
  const described = await describeWrites(engine, { definitions: [{ source, slice }], options }, created.slice(0, RULES), signal);
  const writes: CostliestWrite[] = [];
  for (const { rule, item } of described) {
    const object = createdObject(item);
    if (object === undefined) continue;
    const serverTime = await predictRule(slice, rule, { engine, options, signal });
    writes.push({ rule: { ...rule, ...(typeof serverTime !== 'string' && { serverTime }) }, object });
  }
  return { writes, needStored: costliest.slice(0, RULES).filter(({ worst }) => worst?.plan.old !== 'none') };
}

/** Returns the object of a creation; undefined for an update, and for a write of a subresource. */
function createdObject(item: string): JsonObject | undefined {
  const reading = readJson(item);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { operation, object, subresource } = reading.value;
  return operation === 'CREATE' && subresource === undefined && isJsonObject(object) ? object : undefined;
}
