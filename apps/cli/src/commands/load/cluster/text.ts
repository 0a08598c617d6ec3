import type { PredictedWriteTime } from '#benchmark';
import { bytesText, fixedText, grouped, latencyText, significantText, spentText, times, timesText } from '#numbers';
import { shownInLine } from '#report';
import { fittedTable } from '../../../report/fitted-table.ts';
import { factsText } from '../report-forms.ts';
import type { Fact } from '../report-forms.ts';
import type { LadderGrowth } from './rule-times.ts';
import type { ClusterLoadReport, WriteRow } from './report.ts';

/** Returns the report on a load of writes as readable text. `room` is the width of the terminal in characters. */
export function clusterLoadText(report: ClusterLoadReport, room = Infinity): string {
  const { headings, rows, notes } = writesTable(report);
  const table = fittedTable({ headings, toTheRight: NUMBERS, flexible: [['WRITE', 20]] }, rows, room);
  return `${factsText(clusterLoadFacts(report))}\n${[...table, ...notes.map((note) => shownInLine(`  ${note}`))].join('\n')}\n`;
}

/** Returns what a report says besides its table of writes. */
export function clusterLoadFacts(report: ClusterLoadReport): readonly Fact[] {
  return [
    ['Load', headline(report)],
    ['Ended', endText(report)],
    ['Requests', requestsText(report)],
    ['Latency', latencyLine(report)],
    ['Statuses', statusesText(report)],
    ['Errors', report.errors.map(({ reason, requests }) => `${reason}: ${grouped(requests)}`).join('   ') || 'none'],
    ['Rights', report.rights.kind === 'allowed' ? 'checked before the load' : `not checked: ${report.rights.reason}`],
    ['Server', ...serverLines(report)],
    ...(report.workload === 'worst' ? [['Growth', ...growthLines(report)] as const] : []),
    ['Predictions', ...predictionLines(report)],
    ['Problems', ...problemLines(report)],
    ['Left out', ...(report.leftOut.length === 0 ? ['nothing'] : report.leftOut.map(({ what, reason }) => `${what}: ${reason}`))],
  ];
}

function headline({ cluster, server, version, rate, isAlone, workload, writes, seconds, name }: ClusterLoadReport): string {
  const pace = `${times(rate, 'write')}/s${isAlone ? ', one at a time' : ''}`;
  const what = `${times(writes.length, workload === 'worst' ? 'expensive create' : 'create')} in turn as dry runs, named ${name}`;
  return `${cluster} (${server}, ${version}): ${pace}, ${seconds.toFixed(1)} s; ${what}`;
}

function endText({ earlyEnd, isInterrupted, durationMs }: ClusterLoadReport): string {
  if (earlyEnd !== undefined) return `early: ${earlyEnd.sentence}`;
  return isInterrupted ? 'early: interrupted by the user' : `after ${spentText(durationMs)}, as planned`;
}

function requestsText({ requests, failed, notSent, late, unanswered, isAlone }: ClusterLoadReport): string {
  const asides = [
    ...(notSent > 0
      ? [`${grouped(notSent)} left out, ${isAlone ? 'because the write before had not ended' : 'because too many were under way'}`]
      : []),
    // Times of writes that are sent alone begin with the sending, so a late start does not change them.
    ...(late > 0 && !isAlone ? [`${grouped(late)} started over 1 ms late`] : []),
    ...(unanswered > 0 ? [`${grouped(unanswered)} broken off at the end`] : []),
  ];
  return [grouped(requests), `${grouped(failed)} failed`, ...asides].join('; ');
}

function latencyLine({ latencies }: ClusterLoadReport): string {
  if (latencies === undefined) return 'not told: writes that were not sent would have waited the longest';
  const { p50, p90, p99, max, samples, from } = latencies;
  const figures = `p50 ${latencyText(p50)}   p90 ${latencyText(p90)}   p99 ${latencyText(p99)}   max ${latencyText(max)}   (ms)`;
  return `${figures}   ${times(samples, 'expected answer')}, from when a write was ${from === 'due' ? 'due' : 'sent'}`;
}

function statusesText({ statuses, retryAfter }: ClusterLoadReport): string {
  const wait = retryAfter && ` (Retry-After ${retryAfter.least === retryAfter.most ? '' : `${retryAfter.least} to `}${retryAfter.most} s)`;
  return statuses.map(({ code, requests }) => `${code}: ${grouped(requests)}${code === 429 ? (wait ?? '') : ''}`).join('   ') || 'none';
}

function serverLines({ serverHistograms: found }: ClusterLoadReport): readonly string[] {
  if (found.kind === 'notRead') return [`its histograms are not known: ${found.reason}`];
  if (found.changes.length === 0) return ['its histograms did not change'];
  return found.changes.map(({ name, observations, meanMs }) => `${name}: ${grouped(observations)}, mean ${fixedText(meanMs, 3)} ms`);
}

function growthLines({ growth }: ClusterLoadReport): readonly string[] {
  if (growth.length === 0) return ['no rule was measured'];
  return growth.map((one) => `${growthText(one)}   ${one.definition} ${one.version} ${one.path}`);
}

/** Returns the growth of the time of a rule in words. An exponent is named only if it is decided. */
export function growthText(growth: LadderGrowth): string {
  if (growth.verdict === 'undecided') return `undecided (${growth.reason})`;
  const { exponent, costExponent, predictedExponent } = growth;
  const beside = (what: string, value: number | undefined): string => (value === undefined ? '' : `, ${what} size^${value.toFixed(2)}`);
  const interval = `(${exponent.lo.toFixed(2)} to ${exponent.hi.toFixed(2)})`;
  return `time size^${exponent.value.toFixed(2)} ${interval}${beside('predicted', predictedExponent)}${beside('cost', costExponent)}`;
}

function predictionLines({ familiesOff }: ClusterLoadReport): readonly string[] {
  if (familiesOff.length === 0) return ['no family is off by more than a factor of 2'];
  const off = familiesOff.map(
    ({ family, ratio, writes }) => `${family}: measured ${timesText(ratio)} the prediction (${times(writes, 'write')})`,
  );
  return [...off, 'The measured times include reading and answering the object. The prediction is for the rules alone.'];
}

function problemLines({ writes }: ClusterLoadReport): readonly string[] {
  const problems = [...new Set(writes.flatMap(({ problem }) => problem ?? []))];
  return problems.length === 0 ? ['none'] : problems;
}

const HEADINGS = ['WRITE', 'SIZE', 'BYTES', 'COST', 'PREDICTED ms', 'p50 ms', 'p99 ms', 'COUNT', 'EXPECTED'];
const NUMBERS = new Set(['SIZE', 'BYTES', 'COST', 'PREDICTED ms', 'p50 ms', 'p99 ms', 'COUNT']);

/** Table of the writes of a load. Numbers in brackets refer to `notes`, the reasons why there is no prediction. */
export interface WritesTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** Returns the table of the writes of a load. */
export function writesTable({ writes }: ClusterLoadReport): WritesTable {
  const reasons = [...new Set(writes.flatMap(({ predicted }) => (predicted.kind === 'notPredicted' ? predicted.reason : [])))];
  return {
    headings: HEADINGS,
    rows: writes.map((row) => rowOf(row, reasons)),
    notes: reasons.map((reason, i) => `(${i + 1}) no prediction: ${reason}`),
  };
}

function rowOf(row: WriteRow, reasons: readonly string[]): string[] {
  const { definition, version, source, path, size, bytes, cost, predicted, latencies, expected } = row;
  return [
    path === undefined ? source : `${definition} ${version} ${path}`,
    size === undefined ? '' : grouped(size),
    bytesText(bytes),
    grouped(cost),
    predictedText(predicted, reasons),
    latencyText(latencies.p50),
    latencyText(latencies.p99),
    grouped(latencies.samples),
    expected,
  ];
}

const predictedText = (predicted: PredictedWriteTime, reasons: readonly string[]): string =>
  predicted.kind === 'predicted' ? significantText(predicted.ms) : `(${reasons.indexOf(predicted.reason) + 1})`;
