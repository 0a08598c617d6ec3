import { Cancelled, writeJson } from '#go';
import { badRequestStatus, groupOf, notFoundStatus, OBJECT_BUDGET, versionOf } from '#kube';
import type { CancellationToken, JsonObject } from '#go';
import type { Status } from '#kube';
import { validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { budgetSpentStatus, countVerdict, emptyTally, stoppedStatus } from '#evaluation';
import type { ChunkResult, ChunkSettings, DocumentSlice, ItemOutcome, Phases, SpanRecord } from '#evaluation';
import { unpackItems } from '../pack-items.ts';
import type { EvaluateWork } from '../protocol.ts';
import { objectSpan } from './object-span.ts';
import { validationLimits, objectWrite } from './object-write.ts';
import { readItem } from './read-item.ts';
import type { ItemWrite, ReadItem } from './read-item.ts';
import type { DefinitionCache } from './definition-cache.ts';

/** One item judged: the verdict without its index, and what is counted of it. */
interface Judged {
  readonly outcome: ItemOutcome;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly definition?: CompiledDefinition;
  readonly status?: Status;
  readonly warnings: readonly string[];
  readonly object?: JsonObject;
  readonly verdict?: Exclude<ObjectVerdict, { cancelled: true }>;
  readonly phases: Phases;
}

/** Where one thread judges a chunk, item by item, in order. What is left when the token is raised ends as cancelled. */
export function evaluateItems(
  { items, firstItem, settings, traced, celLeft = Infinity }: EvaluateWork,
  cache: DefinitionCache,
  token: CancellationToken,
): ChunkResult {
  const tally = emptyTally();
  const verdicts: string[] = [];
  const spans: SpanRecord[] = [];
  let celCharge = 0;
  unpackItems(items).forEach((item, i) => {
    const stopped = token.cancelled || Date.now() >= settings.deadlineAt;
    const startMs = traced ? epochNow() : 0;
    const judged = stopped ? cancelled() : celCharge >= celLeft ? overBudget(settings) : judgeItem(item, settings, cache, token);
    celCharge += chargeOf(judged, settings);
    countVerdict(tally, judged.outcome, judged.warnings.length, judged.verdict?.cost.cel ?? 0, judged.phases);
    verdicts.push(verdictLine(firstItem + i, judged, settings));
    if (traced && !stopped)
      spans.push(objectSpan(firstItem + i, judged.outcome, judged.definition, judged.verdict, startMs, epochNow(), settings.options));
  });
  return { verdicts, tally, celCharge, spans };
}

function judgeItem(item: DocumentSlice, settings: ChunkSettings, cache: DefinitionCache, token: CancellationToken): Judged {
  const started = performance.now();
  const read = readUnlessStopped(item, token);
  if (read === undefined) return cancelled();
  if (!read.ok) return { outcome: 'rejected', status: read.status, warnings: [], phases: { total: performance.now() - started } };
  const { write } = read;
  const definition = definitionOf(write, settings, cache);
  if (!definition.ok) return { outcome: 'notEvaluated', status: definition.status, warnings: [], phases: {} };
  const verdict = validate(definition.definition, write, settings, token);
  if ('cancelled' in verdict) return cancelled();
  const measured = verdict.phases;
  const phases: Phases = {
    ...(measured && { parse: measured.parse, schema: measured.prune + measured.openapi + measured.lists, cel: measured.cel }),
    total: performance.now() - started,
  };
  const common = { definition: definition.definition, warnings: verdict.warnings, verdict, phases, ...identity(verdict, write) };
  return verdict.accepted
    ? { outcome: 'accepted', object: verdict.object, ...common }
    : { outcome: 'rejected', status: verdict.status, ...common };
}

function readUnlessStopped(item: DocumentSlice, token: CancellationToken): ReadItem | undefined {
  try {
    return readItem(item, token);
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

function validate(definition: CompiledDefinition, write: ItemWrite, { options }: ChunkSettings, token: CancellationToken): ObjectVerdict {
  return validateObject(definition, objectWrite(write, options), {
    ...validationLimits(options),
    token,
    timings: true,
    explain: options.explain,
  });
}

type Found = { readonly ok: true; readonly definition: CompiledDefinition } | { readonly ok: false; readonly status: Status };

/** The definition that serves the item's group, version and kind. */
function definitionOf(write: ItemWrite, settings: ChunkSettings, cache: DefinitionCache): Found {
  const group = groupOf(write.apiVersion);
  const version = versionOf(write.apiVersion);
  if (write.kind === '' || write.apiVersion === '')
    return { ok: false, status: badRequestStatus('apiVersion and kind of the object must be set, to find its definition') };
  const refused = settings.refused.find((candidate) => candidate.groupKind === `${group}/${write.kind}`);
  if (refused) return { ok: false, status: JSON.parse(refused.status) as Status };
  const key = settings.definitions.find((candidate) => candidate.group === group && candidate.kind === write.kind);
  const cached = key && cache.get(key.digest);
  if (cached && !cached.ok) return cached;
  if (!cached?.definition.versions.includes(version)) {
    const status = notFoundStatus({ group, resource: write.kind }, version);
    return {
      ok: false,
      status: { ...status, message: `no definition of kind "${write.kind}" in version "${write.apiVersion}" was given` },
    };
  }
  return cached;
}

/** Name and namespace of an object, read where the verdict holds it. */
export function identity(verdict: Exclude<ObjectVerdict, { cancelled: true }>, write: ItemWrite): { name?: string; namespace?: string } {
  const metadataOf = (object: JsonObject | undefined): JsonObject | undefined => object?.['metadata'] as JsonObject | undefined;
  const metadata = verdict.accepted ? metadataOf(verdict.object) : undefined;
  const refused = verdict.accepted ? undefined : verdict.status.details?.name;
  const name = metadata?.['name'] ?? refused ?? metadataOf(write.oldObject)?.['name'];
  const namespace = metadata?.['namespace'];
  return { ...(typeof name === 'string' && name !== '' && { name }), ...(typeof namespace === 'string' && { namespace }) };
}

function cancelled(): Judged {
  return {
    outcome: 'cancelled',
    status: stoppedStatus(),
    warnings: [],
    phases: {},
  };
}

function overBudget({ options }: ChunkSettings): Judged {
  const { perEvaluation } = options.costLimits;
  const status = budgetSpentStatus(typeof perEvaluation === 'number' ? perEvaluation : 0);
  return { outcome: 'notEvaluated', status, warnings: [], phases: {} };
}

/** What an object takes of the evaluation's budget. One that a limit stopped (its cost is -1) takes all it was allowed. */
function chargeOf({ verdict }: Judged, { options }: ChunkSettings): number {
  const cost = verdict?.cost.cel ?? 0;
  if (cost >= 0) return cost;
  const { perObject } = options.costLimits;
  return typeof perObject === 'number' ? perObject : OBJECT_BUDGET;
}

/** The verdict as one JSON line. The stored object is written as Go would, since its numbers do not survive JSON.stringify. */
function verdictLine(index: number, judged: Judged, { options }: ChunkSettings): string {
  const { outcome, name, namespace, definition, status, warnings, verdict, object, phases } = judged;
  const cost =
    verdict?.cost.cel === undefined ? undefined : { cel: verdict.cost.cel, ...(options.explain && { rules: verdict.cost.rules ?? [] }) };
  const line = JSON.stringify({
    index,
    name,
    namespace,
    definition: definition && `${definition.plural}.${definition.group}`,
    outcome,
    status,
    warnings,
    cost,
    ...(options.timings && { timings: phases }),
  });
  if (!options.returnObjects || !object) return line;
  return `${line.slice(0, -1)},"object":${writeJson(object)}}`;
}

const epochNow = (): number => performance.timeOrigin + performance.now();
