import { z } from 'zod';
import { parsedJson } from '#cluster';
import type { ApiWriter, ClusterResource, ApiReader } from '#cluster';
import type { SentWrite } from '../../../../../../loadtests/src/load/send-writes.ts';
import { UsageError } from '../../../usage.ts';
import type { LoadedWrite } from './workload.ts';

/** Result of checking the rights of the user before a load: `allowed`, or the reason why they were not checked. */
export type Rights = { readonly kind: 'allowed' } | { readonly kind: 'notChecked'; readonly reason: string };

/** Answer of the server that the user has no right. `reason` is a sentence for the user. */
export interface Denied {
  readonly kind: 'denied';
  readonly reason: string;
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Schema of an answered SelfSubjectAccessReview. Source: k8s.io/api v0.37, authorization/v1/types.go. */
const review = z.object({ status: z.object({ allowed: z.boolean() }) });

/**
 * Asks the server whether the user may create (or delete) objects of the resources, with one SelfSubjectAccessReview for each resource. A
 * server without such reviews lets the load begin. Throws {@link UsageError} if the server does not answer or does not know the user.
 */
export async function checkRights(
  writer: ApiWriter,
  resources: readonly ClusterResource[],
  signal: AbortSignal,
  verb: 'create' | 'delete' = 'create',
): Promise<Rights | Denied> {
  for (const { group, version, plural, namespace } of resources) {
    const resourceAttributes = { group, version, resource: plural, verb, ...(namespace !== undefined && { namespace }) };
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } };
    const outcome = await writer.write({ method: 'POST', path: REVIEWS, body: Buffer.from(JSON.stringify(body)) }, signal);
    if (outcome.kind === 'stopped') return { kind: 'notChecked', reason: 'the command was interrupted' };
    if (outcome.kind !== 'answered') throw new UsageError(outcome.problem.sentence);
    if (outcome.code === 401) throw new UsageError(writer.refusal(REVIEWS, outcome).sentence);
    if (outcome.code !== 201) return { kind: 'notChecked', reason: `the server offers no access reviews (${outcome.code})` };
    const answer = review.safeParse(parsedJson(outcome.body));
    if (!answer.success) return { kind: 'notChecked', reason: 'the server answered an access review with something else' };
    const where = namespace === undefined ? '' : ` in the namespace ${namespace}`;
    if (!answer.data.status.allowed)
      return { kind: 'denied', reason: `${writer.address.name}: you may not ${verb} ${plural}.${group}${where} (SelfSubjectAccessReview)` };
  }
  return { kind: 'allowed' };
}

/** Codes after which every further write would fail, too. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 409]);

/** Sends a write once, as a dry run. Compares the answer with Assay's verdict. */
export async function sendDryRun(writer: ApiWriter, write: LoadedWrite | undefined, signal: AbortSignal): Promise<SentWrite> {
  if (write === undefined) return { kind: 'unanswered', reason: 'no write', problem: 'there is no write' };
  const { path, priced } = write;
  const outcome = await writer.write({ method: 'POST', path, body: Buffer.from(priced.object) }, signal);
  switch (outcome.kind) {
    case 'answered': {
      const { code, ms, retryAfter, body } = outcome;
      const isExpected = code === (priced.isAccepted ? 201 : 422) && isJsonDocument(body);
      const problem = isExpected ? undefined : problemOf(writer, write, outcome);
      return { kind: 'answered', status: code, ms, retryAfter, problem, isFinal: FINAL.has(code) };
    }
    case 'stopped':
      return { kind: 'unanswered', reason: 'stopped', problem: 'the write was stopped' };
    case 'broken':
      return { kind: 'unanswered', reason: outcome.reason, problem: outcome.problem.sentence };
    case 'tooLarge':
    case 'unsent':
      return { kind: 'unanswered', reason: outcome.problem.kind, problem: outcome.problem.sentence };
  }
}

/** Returns true if a body looks like a JSON document. Parsing it would delay the writes that are due. */
const isJsonDocument = (body: Buffer): boolean =>
  /^\s*\{/.test(body.subarray(0, 16).toString()) && /\}\s*$/.test(body.subarray(-16).toString());

/** Returns the problem of an answer that Assay does not expect. */
function problemOf(
  writer: ApiWriter,
  { path, priced, source }: LoadedWrite,
  answer: { readonly code: number; readonly body: Buffer },
): string {
  if (answer.code === 201 && !priced.isAccepted && isJsonDocument(answer.body))
    return `${source}: the server accepts an object that Assay refuses`;
  if (answer.code < 300)
    return `${writer.address.name}: the server answered a create with something that is no JSON object (${answer.code})`;
  const { sentence } = writer.refusal(path, answer);
  if (answer.code === 422) return `${source}: the server refuses an object that Assay accepts. ${sentence}`;
  if (answer.code === 404) return `${sentence}. Does the server have this definition and this namespace?`;
  if (answer.code === 409)
    return `${sentence}. The object keeps its own name because its rules demand it, and the server stores an object of this name`;
  return sentence;
}

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
