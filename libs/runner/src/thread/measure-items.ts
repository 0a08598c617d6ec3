import type { CancellationToken } from '#go';
import { RuleMeasurements } from '#crd';
import type { CompiledDefinition } from '#crd';
import { stoppedStatus } from '#evaluation';
import type { DefinitionText, DocumentSlice, EvaluationOptions, MeasuredObject } from '#evaluation';
import type { MeasuredItems } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { identity } from './judge-item.ts';
import { validationLimits, objectWrite } from './object-write.ts';
import { partPrice } from './part-price.ts';
import { readItem } from './read-item.ts';

/** Judges those of the items that are of the definition's kind, with rules that say where they spend what they cost. */
export function measureItems(
  text: DefinitionText,
  items: readonly DocumentSlice[],
  firstItem: number,
  options: EvaluationOptions,
  cache: DefinitionCache,
  token: CancellationToken,
): MeasuredItems {
  const compiled = cache.compile(text, { engine: 'measured' });
  if (!compiled.ok) throw new Error('a definition that was explained cannot be compiled');
  const measurements = new RuleMeasurements(compiled.definition);
  const objects = items.flatMap((item, i) => measureItem(item, firstItem + i, compiled.definition, measurements, options, token) ?? []);
  const rules = measurements.rules().map(({ dearest: { parts, ...dearest }, ...rule }) => ({ ...rule, dearest, parts: partPrice(parts) }));
  return { objects, rules };
}

/** Undefined for an object of another kind. Throws `Cancelled` when the token asks for it while it is read. */
function measureItem(
  item: DocumentSlice,
  index: number,
  definition: CompiledDefinition,
  measurements: RuleMeasurements,
  options: EvaluationOptions,
  token: CancellationToken,
): MeasuredObject | undefined {
  const read = readItem(item, token);
  if (!read.ok) return { index, outcome: read.outcome, status: read.status };
  const { write } = read;
  if (write.kind !== definition.kind || !definition.versions.some((version) => write.apiVersion === `${definition.group}/${version}`))
    return undefined;
  const verdict = token.cancelled
    ? ({ cancelled: true } as const)
    : measurements.judge(index, objectWrite(write, options), { ...validationLimits(options), token });
  if ('cancelled' in verdict) return { index, outcome: 'cancelled', status: stoppedStatus() };
  const { name } = identity(verdict, write);
  return {
    index,
    ...(name !== undefined && { name }),
    outcome: verdict.accepted ? 'accepted' : 'rejected',
    ...(!verdict.accepted && { status: verdict.status }),
    ...(verdict.cost.cel !== undefined && { celCost: verdict.cost.cel }),
  };
}
