import type { CancellationToken } from '#go';
import { RuleMeasurements } from '#crd';
import type { CompiledDefinition } from '#crd';
import { stoppedStatus } from '#documents';
import type { MeasuredObject } from '#documents';
import { unpackItems } from '../pack-items.ts';
import type { MeasuredItems, Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { objectIdentity } from './judge-item.ts';
import { objectWrite, readItem, validationLimits } from './read-item.ts';
import type { ItemWrite } from './read-item.ts';
import { partPrice } from './explain-definition.ts';

/**
 * Performs a `measure` task of the engine. Computes the verdicts on all items of the kind that the task's definition defines, and measures
 * the cost of each part of the definition's rules. Skips items of other kinds.
 */
export function measureItems(work: Extract<Work, { kind: 'measure' }>, cache: DefinitionCache, token: CancellationToken): MeasuredItems {
  const compiled = cache.compile(work.definition, { engine: 'measured' });
  if (!compiled.ok) throw new Error('a definition that was explained cannot be compiled');
  const measurements = new RuleMeasurements(compiled.definition);
  const limits = { ...validationLimits(work.options), token };
  const objects = unpackItems(work.items).flatMap((item, i): MeasuredObject | [] => {
    const index = work.firstItem + i;
    const read = readItem(item, work.options.kubernetesVersion, token);
    if (!read.ok) return { index, outcome: read.outcome, status: read.status };
    const { write } = read;
    if (!isOfKind(write, compiled.definition)) return [];
    if (token.cancelled) return stopped(index);
    return measuredObject(index, write, measurements.judge(index, objectWrite(write, work.options), limits));
  });
  const rules = measurements
    .rules()
    .map(({ costliest: { parts, ...costliest }, ...rule }) => ({ ...rule, costliest, parts: partPrice(parts) }));
  return { objects, rules };
}

const isOfKind = (write: ItemWrite, { kind, group, versions }: CompiledDefinition): boolean =>
  write.kind === kind && versions.some((version) => write.apiVersion === `${group}/${version}`);

const stopped = (index: number): MeasuredObject => ({ index, outcome: 'cancelled', status: stoppedStatus() });

function measuredObject(index: number, write: ItemWrite, verdict: ReturnType<RuleMeasurements['judge']>): MeasuredObject {
  if ('cancelled' in verdict) return stopped(index);
  const { name } = objectIdentity(verdict, write);
  return {
    index,
    ...(name !== undefined && { name }),
    outcome: verdict.accepted ? 'accepted' : 'rejected',
    ...(!verdict.accepted && { status: verdict.status }),
    ...(verdict.cost.cel !== undefined && { celCost: verdict.cost.cel }),
  };
}
