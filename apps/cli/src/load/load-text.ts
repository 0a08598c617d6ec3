import { grouped, latencyText, times } from '#numbers';
import type { LoadReport } from './load-report.ts';

/** Width of the first column of the load report, in characters. */
const LABEL = 12;

/** Returns the report on a load test as readable text. */
export function loadText(report: LoadReport): string {
  const lines: (readonly [label: string, ...texts: readonly string[]])[] = [
    ['Load', headline(report)],
    ['Requests', requestsText(report)],
    ['Objects', objectsText(report)],
    ['Latency', ...latencyLines(report)],
    ['Statuses', statusesText(report)],
    ['Errors', report.errors.map(({ reason, requests }) => `${reason}: ${grouped(requests)}`).join('   ') || 'none'],
    ['Slowest', ...slowestLines(report)],
  ];
  return lines.flatMap(([label, ...texts]) => texts.map((text, i) => `${(i === 0 ? label : '').padEnd(LABEL)}${text}\n`)).join('');
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
  const what = objects.kind === 'given' ? times(objects.count, 'object') : `${times(objects.count, 'dearest write')} found`;
  const cost = objects.dearestCost === undefined ? '' : ` of up to ${grouped(objects.dearestCost)} cost units`;
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
