import { copyDefinition, copyGroup, moveToGroup, pathOfResource, servedDefinition } from '#cluster';
import type { ClusterWrite, ComparedWrites, LeftOutRules, PairLimits, ServedDefinition } from '#cluster';
import { readSlice } from '#documents';
import { isJsonObject, writeJson } from '#go';
import type { JsonObject } from '#go';
import { times } from '#numbers';
import { UsageError } from '../../../usage.ts';
import type { CostliestWrite, StudiedSource } from '../costliest-writes.ts';

/** Definition to copy, with its document. */
export interface PlannedSource extends StudiedSource {
  readonly document: JsonObject;
}

/** Returns the only definition. Throws {@link UsageError} if there are none or several, or if it cannot be read. */
export function onlyDefinition(definitions: readonly Pick<StudiedSource, 'source' | 'slice'>[]): PlannedSource {
  const [one, ...others] = definitions;
  if (one === undefined) throw new UsageError('no CustomResourceDefinition was found');
  if (others.length > 0)
    throw new UsageError(`--temporary-definitions measures one definition at a time: ${definitions.length} were found`);
  const reading = readSlice(one.slice);
  const served = reading.ok ? servedDefinition(reading.value) : undefined;
  if (!reading.ok || served === undefined || !isJsonObject(reading.value))
    throw new UsageError(`${one.source}: it cannot be read as a definition`);
  return { ...one, served, document: reading.value };
}

/** Copies of a definition, and the writes that are compared. */
export interface Plan {
  readonly copies: readonly JsonObject[];
  /** Comparison of two equal copies, comparison of all rules with none, and one comparison for each write. */
  readonly compared: readonly ComparedWrites[];
}

/** Labels of the copies in a run. */
const [WHOLE, EQUAL, BARE] = ['whole', 'equal', 'bare'] as const;

/** Returns the plan of a run. Throws {@link UsageError} if the definition cannot be copied. */
export function planOf({ document, served }: PlannedSource, writes: readonly CostliestWrite[], runId: string): Plan {
  const copy = (label: string, leftOut: LeftOutRules): JsonObject => {
    const made = copyDefinition(document, { runId, label }, leftOut);
    if (made === undefined) throw new UsageError(`${served.metadata.name}: no copy can be made of it`);
    return made;
  };
  const without = (i: number): string => `without-${i + 1}`;
  const to = (label: string, { object }: CostliestWrite): ClusterWrite => writeTo(copyGroup({ runId, label }), object, served);
  const [costliest] = writes;
  return {
    copies: [
      copy(WHOLE, 'none'),
      copy(EQUAL, 'none'),
      copy(BARE, 'all'),
      ...writes.map(({ rule: { version, path } }, i) => copy(without(i), { version, path })),
    ],
    compared: [
      ...(costliest === undefined ? [] : [EQUAL, BARE].map((label) => ({ a: to(label, costliest), b: to(WHOLE, costliest) }))),
      ...writes.map((write, i) => ({ a: to(without(i), write), b: to(WHOLE, write) })),
    ],
  };
}

/** Namespace of objects that have none. */
const NAMESPACE = 'default';

/** Returns the dry run that creates an object in the group of a copy. */
function writeTo(group: string, object: JsonObject, { spec }: ServedDefinition): ClusterWrite {
  const moved = moveToGroup(object, group) ?? object;
  const metadata = isJsonObject(moved['metadata']) ? moved['metadata'] : {};
  const isNamespaced = spec.scope !== 'Cluster';
  const placed = { ...moved, metadata: { ...metadata, ...(isNamespaced && { namespace: NAMESPACE }) } };
  const version = String(moved['apiVersion']).split('/')[1] ?? '';
  const path = pathOfResource({ group, version, plural: spec.names.plural, ...(isNamespaced && { namespace: NAMESPACE }) });
  return { method: 'POST', path: `${path}?dryRun=All`, body: Buffer.from(writeJson(placed)) };
}

/** Returns what a run will do, in words for the user. */
export function planText({ copies, compared }: Plan, { rate, durationMs }: PairLimits, cluster: string, runId: string): string {
  const sends = `sends dry runs of ${times(compared.length, 'pair')} of writes for ${durationMs / 1000} s, at most ${rate} a second`;
  return [
    `creates ${copies.length} temporary definitions in ${cluster} (run ${runId}), ${sends}, and removes the definitions.`,
    'Nothing else is stored, but dry runs load the server and call its webhooks.',
    `If this process is killed, assay load --cluster --clean-up ${runId} removes the definitions`,
  ].join(' ');
}
