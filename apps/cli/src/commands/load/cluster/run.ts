import { randomBytes } from 'node:crypto';
import { ApiWriter } from '#cluster';
import type { Cluster } from '#cluster';
import type { EvaluationOptions } from '#documents';
import { spentText, times } from '#numbers';
import { openCluster, definitionsOfKinds } from '../../../cluster/read-cluster.ts';
import type { ClusterOption, OpenedCluster } from '../../../cluster/read-cluster.ts';
import { documentsOf } from '../../../documents/read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from '../../../documents/read-documents.ts';
import { readInputs } from '../../../documents/read-inputs.ts';
import type { ReportProblem } from '../../../files/file-problem.ts';
import type { CommandSettings } from '../../../options/shared-options.ts';
import { tableWidth } from '../../../report/fitted-table.ts';
import { print, reportOnStderr, ProgressLine } from '../../../report/print.ts';
import { EXIT, UsageError } from '../../../usage.ts';
import type { RunContext } from '../../command.ts';
import { costliestRules } from '../costliest-writes.ts';
import { loadDriver } from '../load-driver.ts';
import type { MeasurementForm } from '../report-forms.ts';
import { LOAD_REASON, requireLoopback } from '../require-loopback.ts';
import { clusterLoadReport } from './report.ts';
import type { ClusterLoadReport, LoadedCluster } from './report.ts';
import { checkRights, changesOf, readTotals, sendDryRun } from './server-requests.ts';
import { clusterLoadText } from './text.ts';
import { givenWorkload, requireWrites, resourcesOf, worstWorkload } from './workload.ts';
import type { ClusterWorkload, LoadRoom } from './workload.ts';
import { Interruption } from '../../../interruption.ts';

/** Settings of a load on an API server: which writes it sends, how fast, and how its report is printed. */
export interface ClusterLoadSettings extends LoadRoom {
  /** Time budget in ms for finding the most expensive writes, which are sent as the load. Undefined if the given objects are sent. */
  readonly worstBudgetMs: number | undefined;
  readonly output: MeasurementForm;
}

/** Parsed arguments of `assay load --cluster`, which sends dry runs of writes to an API server. */
export interface ClusterLoadArguments extends CommandSettings, ClusterLoadSettings {
  readonly cluster: ClusterOption;
  readonly paths: readonly string[];
  /** True if the user allows a load on a server that is not on this machine. */
  readonly isAllowed: boolean;
  readonly options: EvaluationOptions;
}

/** Interval in ms at which progress is written if the output is a log. */
const PROGRESS_MS = 2000;

/**
 * Runs `assay load --cluster`: sends creates as dry runs to an API server, measures their times, and prints a report. Ctrl-C ends the load
 * and prints the report so far. Resolves with the exit status: 1 if a write failed or the load ended by itself, 3 if no write was answered as
 * expected.
 */
export async function runClusterLoad(command: ClusterLoadArguments, context: RunContext): Promise<number> {
  await loadDriver();
  const interruption = new Interruption();
  let writer: ApiWriter | undefined;
  try {
    const opened = await openCluster(command.cluster, command.options, (address) => {
      if (!command.isAllowed) requireLoopback(address, LOAD_REASON);
      return (writer = new ApiWriter(address));
    });
    if (writer === undefined) return EXIT.internal;
    const documents = await documentsOf(await readInputs(command.paths, context.reportProblem, command.reading), context.engine);
    return await loadCluster(command, { ...context, documents, opened, writer, signal: interruption.signal });
  } finally {
    writer?.close();
    interruption.end();
  }
}

/** Documents of the files, opened cluster with the client that writes to it, and the signal of the user. */
export interface Loading extends RunContext {
  readonly documents: PlacedDocuments;
  readonly opened: OpenedCluster;
  readonly writer: ApiWriter;
  readonly signal: AbortSignal;
}

/** Sends the load to an opened cluster, and prints the report. Resolves with the exit status, like {@link runClusterLoad}. */
export async function loadCluster(command: ClusterLoadSettings, loading: Loading): Promise<number> {
  const { writer, signal, opened } = loading;
  const { sendWrites } = await loadDriver();
  const name = `assay-load-${randomBytes(4).toString('hex')}`;
  const workload = await workloadOf(command, loading, name);
  if (signal.aborted) return interrupted();
  requireWrites(workload);
  // The server may close a connection that was idle during the search, and `writer` sends no write twice. So the writes use a new
  // connection.
  writer.close();
  const resources = resourcesOf(workload);
  const rights = await checkRights(writer, resources, signal);
  if (rights.kind === 'denied') throw new UsageError(rights.reason);
  const { rate, durationMs, stopAtMs } = command;
  const isAlone = workload.kind === 'worst';
  const { name: cluster, server } = writer.address;
  const target: LoadedCluster = { cluster, server: server.origin, version: opened.version, rate, isAlone, durationMs, stopAtMs, name };
  announce(target, workload);
  const before = await readTotals(writer, resources, signal);
  if (signal.aborted) return interrupted();
  const progress = new ProgressLine(PROGRESS_MS);
  const seconds = durationMs / 1000;
  const findings = await sendWrites({
    writes: workload.writes.length,
    turns: workload.turns,
    send: (index, ending) => sendDryRun(writer, workload.writes[index], ending),
    rate,
    seconds,
    isAlone,
    stopAtMs,
    signal,
    onProgress: (state) =>
      progress.report(() => `${Math.round(Math.min(state.seconds, seconds))} of ${seconds} s: ${times(state.answered, 'write')} answered`),
  });
  progress.end();
  const serverHistograms = changesOf(before, await readTotals(writer, resources));
  const report = clusterLoadReport(target, workload, findings, { isInterrupted: signal.aborted, rights, serverHistograms });
  if (command.output === 'html') process.stdout.write((await import('./page.ts')).clusterLoadPage(report));
  else print(command.output, report, () => clusterLoadText(report, tableWidth()));
  if (report.earlyEnd !== undefined) reportOnStderr(`the load ended early: ${report.earlyEnd.sentence}`);
  return statusOf(report);
}

function statusOf({ earlyEnd, failed, writes, isInterrupted }: ClusterLoadReport): number {
  const answered = writes.reduce((sum, { latencies }) => sum + latencies.samples, 0);
  if (answered === 0) return isInterrupted ? EXIT.rejected : EXIT.internal;
  return failed > 0 || earlyEnd !== undefined ? EXIT.rejected : EXIT.ok;
}

function interrupted(): number {
  reportOnStderr('interrupted before the load began');
  return EXIT.rejected;
}

/** Returns the writes of the load. Definitions that the files lack are read from the cluster. */
async function workloadOf(command: ClusterLoadSettings, loading: Loading, name: string): Promise<ClusterWorkload> {
  const { documents, engine, reportProblem, signal, opened } = loading;
  const definitions = await allDefinitions(documents, opened.cluster.until(signal), reportProblem);
  const { options } = opened;
  const pricing = { engine, options, signal, name };
  if (command.worstBudgetMs === undefined) {
    if (documents.objects.length === 0) throw new UsageError('no object was found: name files with objects, or --worst');
    return givenWorkload(documents.objects, definitions, pricing);
  }
  if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
  const rules = await costliestRules(definitions, { options, budgetMs: command.worstBudgetMs }, engine, signal);
  return worstWorkload(rules, definitions, command, pricing);
}

async function allDefinitions(
  { definitions, objects }: PlacedDocuments,
  cluster: Cluster,
  reportProblem: ReportProblem,
): Promise<readonly PlacedDocument[]> {
  const slices = (placed: readonly PlacedDocument[]) => placed.map(({ slice }) => slice);
  return [...definitions, ...(await definitionsOfKinds(cluster, slices(objects), slices(definitions), reportProblem))];
}

/** Writes to standard error what the load sends, before it begins. */
function announce({ cluster, server, rate, isAlone, durationMs, stopAtMs, name }: LoadedCluster, workload: ClusterWorkload): void {
  const kinds = [...new Set(workload.writes.map(({ definition }) => definition))].join(', ');
  const most = Math.round((rate * durationMs) / 1000);
  const how = isAlone ? ', one at a time' : '';
  reportOnStderr(
    `sends ${times(workload.writes.length, 'create')} of ${kinds} in turn to ${cluster} (${server}): ${times(rate, 'write')}/s${how} for ${spentText(durationMs)}, at most ${times(most, 'write')}, each with dryRun=All and the name ${name}`,
  );
  reportOnStderr(
    `nothing is stored, but dry runs load the server and call its admission webhooks. The load ends at a 429, at 5 failures in a row, or if a write takes over ${spentText(stopAtMs)}`,
  );
}
