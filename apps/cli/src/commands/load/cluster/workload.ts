import { pathOfResource } from '#cluster';
import type { ClusterResource, ServedDefinition } from '#cluster';
import type { PlacedFindings, PricedWrite } from '#benchmark';
import { documentJson } from '#documents';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { spentText, times } from '#numbers';
import { ladderOf, priceObject } from '#service';
import type { Pricing } from '#service';
import { servedIn } from '../../../cluster/read-cluster.ts';
import type { PlacedDocument } from '../../../documents/read-documents.ts';
import { ProgressLine } from '../../../report/print.ts';
import { UsageError } from '../../../usage.ts';

/** Create of an object that a load sends as a dry run. */
export interface LoadedWrite {
  /** Name of the definition, such as `widgets.example.com`. */
  readonly definition: string;
  /** Place of the given object, or of the definition for whose rule the object was generated. */
  readonly source: string;
  readonly resource: ClusterResource;
  /** Path and query of the request. */
  readonly path: string;
  readonly priced: PricedWrite;
  /** Rule whose ladder the write belongs to, and the size of the write's largest field. Absent for given objects. */
  readonly rung?: { readonly rule: PlacedFindings; readonly size: number };
}

/** Writes of a load, the order in which they are sent, and what is left out. */
export interface ClusterWorkload {
  readonly kind: 'given' | 'worst';
  readonly writes: readonly LoadedWrite[];
  /**
   * Indexes of the writes in the order in which they are sent. Each round contains all writes whose times are compared, so that a slow
   * phase of the server slows them all.
   */
  readonly turns: readonly number[];
  readonly leftOut: readonly { readonly what: string; readonly reason: string }[];
}

/** Returns creates of the given objects. Objects without a CustomResourceDefinition are left out. */
export async function givenWorkload(
  objects: readonly PlacedDocument[],
  definitions: readonly PlacedDocument[],
  pricing: Pricing,
): Promise<ClusterWorkload> {
  const known = definitions.flatMap((document) => {
    const served = servedIn(document.slice);
    return served === undefined ? [] : [{ document, served }];
  });
  const writes: LoadedWrite[] = [];
  const leftOut: { what: string; reason: string }[] = [];
  for (const { source, slice } of objects) {
    const json = documentJson(slice);
    const object = json.ok ? objectOf(json.json) : undefined;
    const [group = '', version = ''] = String(object?.['apiVersion']).split('/');
    const found = known.find(({ served: { spec } }) => spec.group === group && spec.names.kind === object?.['kind']);
    if (!json.ok || object === undefined || found === undefined) {
      leftOut.push({ what: source, reason: json.ok ? 'no CustomResourceDefinition defines its kind' : 'it cannot be read' });
      continue;
    }
    const priced = await priceObject(found.document.slice, { object: json.json, version }, pricing);
    if (typeof priced === 'string') leftOut.push({ what: source, reason: priced });
    else writes.push(loadedWrite(found.served, { source, version, priced }, pricing));
  }
  return { kind: 'given', writes, turns: [...writes.keys()], leftOut };
}

/** Number of times that each write of a ladder is sent, at least. A median of fewer times would be random. */
const MIN_SAMPLES = 20;
/** Part of the load's time, and part of the longest allowed latency, that the most expensive write may take. */
const [PART_OF_LOAD, PART_OF_STOP] = [1 / 200, 1 / 4];
/** Time in ms that a write takes beside its rules, approximately. */
const BESIDE_RULES_MS = 5;

/** Pace of a load, which determines how many writes it has room for. */
export interface LoadRoom {
  /** Number of writes per second. */
  readonly rate: number;
  readonly durationMs: number;
  readonly stopAtMs: number;
}

/**
 * Returns the most expensive creates that were found for the rules, and smaller ones. Each is sent at least 20 times, so only the most
 * expensive rules are chosen for which the load has room. Creates that are predicted to take too long are left out.
 */
export async function worstWorkload(
  rules: readonly PlacedFindings[],
  definitions: readonly PlacedDocument[],
  { rate, durationMs, stopAtMs }: LoadRoom,
  pricing: Pricing,
): Promise<ClusterWorkload> {
  const progress = new ProgressLine();
  const maxMs = Math.min(PART_OF_LOAD * durationMs, PART_OF_STOP * stopAtMs);
  const writes: LoadedWrite[] = [];
  const leftOut: { what: string; reason: string }[] = [];
  const seen = new Set<string>();
  let [passed, roundMs] = [0, 0];
  for (const rule of rules) {
    const document = definitions.find(({ source }) => source === rule.source);
    const served = document && servedIn(document.slice);
    // Skips a rule if another version of the definition has the same rule.
    const key = `${rule.source} ${rule.path} ${rule.rule}`;
    if (document === undefined || served === undefined || pricing.signal.aborted || seen.has(key)) continue;
    seen.add(key);
    if (roundMs * MIN_SAMPLES > durationMs) {
      passed += 1;
      continue;
    }
    progress.report(() => `sizes of the most expensive writes: ${times(seen.size, 'rule')}`);
    const what = `${rule.definition} ${rule.version} ${rule.path}`;
    const ladder = await ladderOf(document.slice, rule, maxMs, pricing);
    const rungs = ladder.kind === 'ladder' ? ladder.rungs : [];
    const spentMs = rungs.reduce((sum, one) => sum + Math.max(1000 / rate, BESIDE_RULES_MS + predictedMs(one)), 0);
    if (writes.length > 0 && (roundMs + spentMs) * MIN_SAMPLES > durationMs) {
      passed += 1;
      continue;
    }
    roundMs += spentMs;
    if (ladder.kind === 'none') leftOut.push({ what, reason: ladder.reason });
    else if (rungs.length === 0) leftOut.push({ what, reason: 'no create was found that the definition accepts' });
    else if (ladder.isCut)
      leftOut.push({ what: `larger writes for ${what}`, reason: `they are predicted to take over ${spentText(maxMs)}` });
    writes.push(
      ...rungs.map(({ size, ...priced }) => ({
        ...loadedWrite(served, { source: rule.source, version: rule.version, priced }, pricing),
        rung: { rule, size },
      })),
    );
  }
  progress.end();
  if (passed > 0)
    leftOut.push({ what: times(passed, 'other rule'), reason: 'the load is too short: a longer --duration has room for more' });
  return { kind: 'worst', writes, turns: ladderTurns(writes), leftOut };
}

/**
 * Returns the order in which the writes of ladders are sent: for each rule in turn, many rounds with one write of each size. If the server is
 * slow, the load therefore measures the most expensive rules well, instead of all rules badly.
 */
function ladderTurns(writes: readonly LoadedWrite[]): readonly number[] {
  const ladders = Map.groupBy(writes.keys(), (index) => writes[index]?.rung?.rule);
  return [...ladders.values()].flatMap((indexes) => Array.from({ length: MIN_SAMPLES }, () => indexes).flat());
}

const predictedMs = ({ serverTime }: PricedWrite): number => (serverTime.kind === 'predicted' ? serverTime.ms : 0);

/** Returns the resources of all writes, each once. */
export const resourcesOf = ({ writes }: ClusterWorkload): readonly ClusterResource[] => [
  ...new Map(writes.map(({ resource }) => [JSON.stringify(resource), resource])).values(),
];

function loadedWrite(
  { metadata, spec }: ServedDefinition,
  { source, version, priced }: { readonly source: string; readonly version: string; readonly priced: PricedWrite },
  { options: { fieldValidation } }: Pricing,
): LoadedWrite {
  const namespace = spec.scope === 'Cluster' ? undefined : namespaceOf(priced.object);
  const resource = { group: spec.group, version, plural: spec.names.plural, ...(namespace !== undefined && { namespace }) };
  const path = `${pathOfResource(resource)}?dryRun=All&fieldValidation=${fieldValidation}`;
  return { definition: metadata.name, source, resource, path, priced };
}

function namespaceOf(json: string): string {
  const metadata = objectOf(json)?.['metadata'];
  const namespace = isJsonObject(metadata) ? metadata['namespace'] : undefined;
  return typeof namespace === 'string' && namespace !== '' ? namespace : 'default';
}

function objectOf(json: string): JsonObject | undefined {
  const reading = readJson(json);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/** Throws {@link UsageError} if a workload has no writes. */
export function requireWrites({ kind, writes, leftOut }: ClusterWorkload): void {
  if (writes.length > 0) return;
  const [first] = leftOut;
  const why = first === undefined ? '' : `: ${first.what}: ${first.reason}`;
  throw new UsageError(kind === 'given' ? `no object can be sent${why}` : `--worst: no write was found for the rules${why}`);
}
