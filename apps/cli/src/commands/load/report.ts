import { grouped, latencyText, times } from '#numbers';
import type { LoadFindings } from '../../../../../loadtests/src/load/send-load.ts';
import { factsText } from './report-forms.ts';

/**
 * Rate at which a load test sends requests. `open`: a fixed number of requests per second. `closed`: a fixed number of connections, each of
 * which sends its next request after the answer to its previous request.
 */
export type LoadPace = { readonly kind: 'open'; readonly rate: number } | { readonly kind: 'closed'; readonly connections: number };

/** Deployment that is loaded, and how. */
export interface LoadTarget {
  /** Address of the deployment, without a trailing slash. */
  readonly url: string;
  readonly pace: LoadPace;
  /** Address of Jaeger, without a trailing slash. If it is undefined, traces are reported by their ids only. */
  readonly traces: string | undefined;
}

/** Description of the objects that the requests of a load test contain. The printed report of the test shows it. */
export interface LoadedObjects {
  /** Kind of the objects: `given` for objects of files, `worst` for the most expensive writes that were found. */
  readonly kind: 'given' | 'worst';
  /** Number of different objects, which are sent in turn. */
  readonly count: number;
  /** Number of objects per request. */
  readonly batch: number;
  /** Cost of the most expensive write, in cost units; absent for given objects. */
  readonly costliestCost?: number;
}

/** One of the slowest requests of a load. */
interface SlowRequest {
  readonly ms: number;
  readonly status: number;
  readonly traceId: string;
  /** URL of the trace of the request; absent if the service records no traces, or if no Jaeger address is given. */
  readonly trace?: string;
}

/** Content of the printed report of a load test. */
export interface LoadReport extends Omit<LoadFindings, 'latencies' | 'slowest'> {
  /** Version of the report's format. Fields may be added within a version; a change of meaning gets a new version. */
  readonly schema: 'assay.dev/load/v1';
  readonly url: string;
  readonly pace: LoadPace;
  readonly objects: LoadedObjects;
  /** True if the user ended the load early. */
  readonly isInterrupted: boolean;
  /** Number of requests with an answer other than 2xx or 429, without an answer, or that could not be sent. */
  readonly failed: number;
  /**
   * Latencies of answers with status 2xx, in ms. A percentile is absent if fewer than ten samples are above it. All percentiles are absent
   * if some requests were not sent, because these requests would have had the highest latencies.
   */
  readonly latencies?: LoadFindings['latencies'] & {
    /** Time from which a latency is measured: the time at which the request was due, or the time at which it was sent. */
    readonly from: 'due' | 'sent';
  };
  /** Requests (at most five) with the highest latencies among all requests with an answer, the slowest first. */
  readonly slowest: readonly SlowRequest[];
}

/**
 * Returns the report of a load test from the measurements in `LoadFindings`. `isInterrupted` is true if the user ended the load test early.
 */
export function loadReport(
  { url, pace, traces }: LoadTarget,
  objects: LoadedObjects,
  { latencies, slowest, ...findings }: LoadFindings,
  isInterrupted: boolean,
): LoadReport {
  const { requests, answered, unanswered, notSent, statuses } = findings;
  const isFailure = (code: number): boolean => (code < 200 || code > 299) && code !== 429;
  const refused = statuses.reduce((sum, { code, requests: some }) => sum + (isFailure(code) ? some : 0), 0);
  return {
    schema: 'assay.dev/load/v1',
    url,
    pace,
    objects,
    isInterrupted,
    failed: refused + (requests - answered - unanswered) + notSent,
    ...findings,
    ...(notSent === 0 && { latencies: { from: pace.kind === 'open' ? 'due' : 'sent', ...latencies } }),
    slowest: slowest.map((one) => ({
      ...one,
      ...(traces !== undefined && findings.isTraced && { trace: `${traces}/trace/${one.traceId}` }),
    })),
  };
}

/** Returns the report on a load test as readable text. */
export function loadText(report: LoadReport): string {
  return factsText([
    ['Load', headline(report)],
    ['Requests', requestsText(report)],
    ['Objects', objectsText(report)],
    ['Latency', ...latencyLines(report)],
    ['Statuses', statusesText(report)],
    ['Errors', report.errors.map(({ reason, requests }) => `${reason}: ${grouped(requests)}`).join('   ') || 'none'],
    ['Slowest', ...slowestLines(report)],
  ]);
}

const PERCENTILES = [
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
  ['max', 'max'],
] as const;

function headline({ url, pace, objects, seconds, isInterrupted }: LoadReport): string {
  const how = pace.kind === 'open' ? `open, ${times(pace.rate, 'request')}/s` : `closed, ${times(pace.connections, 'connection')}`;
  const what = objects.kind === 'given' ? times(objects.count, 'object') : `${times(objects.count, 'expensive write')} found`;
  const cost = objects.costliestCost === undefined ? '' : ` of up to ${grouped(objects.costliestCost)} cost units`;
  const batch = objects.batch === 1 ? '' : `, ${grouped(objects.batch)} a request`;
  return `${url}: ${how}, ${seconds.toFixed(1)} s${isInterrupted ? ' (interrupted)' : ''}; ${what}${cost} in turn${batch}`;
}

function requestsText({ requests, requestsPerSecond, failed, notSent, late, unanswered }: LoadReport): string {
  const asides = [
    ...(notSent > 0 ? [`${grouped(notSent)} not sent, since too many were under way`] : []),
    ...(late > 0 ? [`${grouped(late)} started over 1 ms late`] : []),
    ...(unanswered > 0 ? [`${grouped(unanswered)} broken off at the end`] : []),
  ];
  return [grouped(requests), `${rateText(requestsPerSecond)}/s with a 2xx`, `${grouped(failed)} failed`, ...asides].join('; ');
}

function objectsText({ objectsPerSecond, verdicts: { accepted, rejected, notEvaluated, cancelled } }: LoadReport): string {
  const others = [
    ...(notEvaluated > 0 ? [`${grouped(notEvaluated)} not evaluated`] : []),
    ...(cancelled > 0 ? [`${grouped(cancelled)} cancelled`] : []),
  ];
  const judged = [`${grouped(accepted)} accepted`, `${grouped(rejected)} refused`, ...others].join(', ');
  return `${judged}; ${rateText(objectsPerSecond)}/s`;
}

function latencyLines({ latencies }: LoadReport): readonly string[] {
  if (latencies === undefined) return ['not told: requests that were not sent would have waited the longest'];
  const figures = PERCENTILES.map(([name, key]) => `${name} ${latencyText(latencies[key])}`).join('   ');
  const from =
    latencies.from === 'due'
      ? 'from when a request was due, so that a stall shows in all that waited'
      : 'from sending: a stall shows once a connection, however many would have come meanwhile (--rate shows all)';
  const few = latencies.p999 === undefined ? '; –: fewer than ten samples above it' : '';
  return [`${figures}   (ms)`, `${from}${few}`];
}

function statusesText({ statuses, retryAfter }: LoadReport): string {
  const wait = retryAfter && `Retry-After ${retryAfter.least === retryAfter.most ? '' : `${retryAfter.least} to `}${retryAfter.most} s`;
  const figures = statuses.map(
    ({ code, requests }) => `${code}: ${grouped(requests)}${code === 429 && wait !== undefined ? ` (${wait})` : ''}`,
  );
  return figures.join('   ') || 'none';
}

function slowestLines({ slowest, isTraced }: LoadReport): readonly string[] {
  if (slowest.length === 0) return ['none'];
  const lines = slowest.map(({ ms, status, traceId, trace }) => `${latencyText(ms)} ms   ${status}   ${trace ?? traceId}`);
  return isTraced
    ? lines
    : [...lines, 'The service records no traces (OTEL_EXPORTER_OTLP_ENDPOINT turns them on). Its logs name requests by these ids.'];
}

const rateText = (rate: number): string => (rate < 100 ? rate.toFixed(1) : grouped(Math.round(rate)));
