import type { ApiReader, ClusterResource } from '#cluster';

/** Histogram of the server: its number of observations, and their sum in seconds. */
interface HistogramTotal {
  readonly count: number;
  readonly sum: number;
}

/** Totals of the histograms that concern a load, by the name of the metric, or the reason why the server's metrics cannot be read. */
export type ServerTotals =
  | { readonly kind: 'read'; readonly totals: ReadonlyMap<string, HistogramTotal> }
  | { readonly kind: 'notRead'; readonly reason: string };

/** Change of a histogram of the server during a load. It contains the requests of all clients. */
export interface HistogramChange {
  /** Name of the metric. */
  readonly name: string;
  readonly observations: number;
  /** Mean of the observations during the load, in ms. Absent if there were none. */
  readonly meanMs?: number;
}

/** Histograms of the server before and after a load, or the reason why they are not known. */
export type ServerHistograms =
  | { readonly kind: 'read'; readonly changes: readonly HistogramChange[] }
  | { readonly kind: 'notRead'; readonly reason: string };

/** Names of the metrics. Source: k8s.io/apiserver v0.37, pkg/endpoints/metrics/metrics.go and pkg/cel/metrics/metrics.go. */
const REQUESTS = 'apiserver_request_duration_seconds';
const METRICS = [REQUESTS, 'apiserver_cel_evaluation_duration_seconds', 'apiextensions_apiserver_validation_ratcheting_seconds'];
/** Longest time in ms for reading the metrics. */
const MAX_MS = 10_000;

/** Reads the histograms of the server that concern creates of the resources. */
export async function readTotals(reader: ApiReader, resources: readonly ClusterResource[], signal?: AbortSignal): Promise<ServerTotals> {
  const limit = AbortSignal.timeout(MAX_MS);
  const answer = await reader.get('/metrics', signal ? AbortSignal.any([signal, limit]) : limit);
  if (!answer.ok) return { kind: 'notRead', reason: limit.aborted ? `no answer for ${MAX_MS / 1000} s` : answer.problem.sentence };
  const plurals = new Set(resources.map(({ plural }) => plural));
  const totals = new Map(METRICS.map((name) => [name, { count: 0, sum: 0 }]));
  let isFound = false;
  for (const [, name = '', part, labels = '', value] of answer.value.toString().matchAll(SERIES)) {
    const total = totals.get(name);
    if (total === undefined || (name === REQUESTS && !isOfLoad(labels, plurals))) continue;
    isFound = true;
    total[part === 'sum' ? 'sum' : 'count'] += Number(value);
  }
  return isFound || answer.value.includes(`${REQUESTS}_count`)
    ? { kind: 'read', totals }
    : { kind: 'notRead', reason: 'its metrics have no histograms of requests' };
}

/** Line of the Prometheus text format for the sum or the count of a histogram. */
const SERIES = /^(\w+)_(sum|count)(?:\{([^}\n]*)\})? (\S+)/gm;

/** Returns true if the labels are those of dry runs of creates of the resources. */
function isOfLoad(labels: string, plurals: ReadonlySet<string>): boolean {
  const label = (name: string): string | undefined => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
  return label('verb') === 'POST' && label('dry_run') === 'All' && plurals.has(label('resource') ?? '');
}

/** Returns what changed in the histograms of the server between two readings. Histograms without new observations are left out. */
export function changesOf(before: ServerTotals, after: ServerTotals): ServerHistograms {
  if (before.kind === 'notRead') return before;
  if (after.kind === 'notRead') return after;
  const changes = [...after.totals].flatMap(([name, { count, sum }]): HistogramChange[] => {
    const { count: earlier = 0, sum: earlierSum = 0 } = before.totals.get(name) ?? {};
    const observations = count - earlier;
    return observations > 0 ? [{ name, observations, meanMs: (1000 * (sum - earlierSum)) / observations }] : [];
  });
  const isRestarted = [...after.totals].some(([name, { count }]) => count < (before.totals.get(name)?.count ?? 0));
  return isRestarted
    ? { kind: 'notRead', reason: 'they became smaller: another server answered, or the server started again' }
    : { kind: 'read', changes };
}
