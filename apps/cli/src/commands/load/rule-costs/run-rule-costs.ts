import { ApiWriter, newRunId, sendPairs, TemporaryDefinitions, findCluster, findTemporary, removeTemporary } from '#cluster';
import type { ClusterWrite, PairLimits, PairsOutcome, Removal, WriteOutcome, ClusterChoice } from '#cluster';
import type { EvaluationOptions } from '#documents';
import { times } from '#numbers';
import { openCluster, valueOf } from '../../../cluster/read-cluster.ts';
import type { ClusterOption } from '../../../cluster/read-cluster.ts';
import { documentsOf } from '../../../documents/read-documents.ts';
import { readInputs } from '../../../documents/read-inputs.ts';
import type { CommandSettings } from '../../../options/shared-options.ts';
import { tableWidth } from '../../../report/fitted-table.ts';
import type { OutputForm } from '../../../report/forms.ts';
import { print, reportOnStderr, ProgressLine } from '../../../report/print.ts';
import { EXIT, UsageError } from '../../../usage.ts';
import type { RunContext } from '../../command.ts';
import type { Loading } from '../cluster/run.ts';
import { checkRights } from '../cluster/server-requests.ts';
import { costliestWrites } from '../costliest-writes.ts';
import type { CostliestWrites } from '../costliest-writes.ts';
import type { MeasurementForm } from '../report-forms.ts';
import { isOnThisMachine, LOAD_REASON, requirePermission } from '../require-loopback.ts';
import { onlyDefinition, planOf, planText } from './plan.ts';
import type { Plan } from './plan.ts';
import { comparedTimes, controlBias, ruleCost, ruleCostText, leftLines } from './report.ts';
import type { RuleCostReport } from './report.ts';
import { Interruption } from '../../../interruption.ts';

/** Parsed arguments of `assay load --cluster --temporary-definitions`, which measures what the rules of a definition cost. */
export interface RuleCostArguments extends CommandSettings, PairLimits {
  readonly paths: readonly string[];
  readonly cluster: ClusterOption;
  /** True if the server may be on another machine. */
  readonly isAllowedElsewhere: boolean;
  /** True if the user allows a load on a server that is not on this machine. */
  readonly isLoadAllowed: boolean;
  /** Time budget in ms for finding the most expensive writes. */
  readonly budgetMs: number;
  readonly output: MeasurementForm;
  readonly options: EvaluationOptions;
}

/** Longest silence and longest time of a write in ms. API servers end a write after 34 s, so that this client sees their answer. */
const WRITE_LIMITS = { silenceMs: 40_000, totalMs: 60_000 } as const;
/** Resource of definitions, whose creation and removal need rights. */
const DEFINITIONS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' } as const;
/** Interval in ms at which progress is written if the output is a log. */
const PROGRESS_MS = 2000;

/**
 * Measures what the rules of one definition cost on a server. Creates temporary copies of the definition: two whole copies, one without
 * rules, and one without each of its five most expensive rules. Sends the most expensive writes as dry runs in pairs, removes the copies,
 * and prints the differences. If the user may not create and delete definitions, the growth over a ladder of sizes is measured instead.
 * Ctrl-C ends the measurement, removes the copies and prints what is known. Resolves with the exit status, which is 1 if the measurement
 * ended early or a copy is left.
 */
export async function runRuleCosts(command: RuleCostArguments, context: RunContext): Promise<number> {
  const interruption = new Interruption(command.timeoutMs);
  let writer: ApiWriter | undefined;
  try {
    const opened = await openCluster(command.cluster, command.options, (address) => {
      requirePermission(address, command.isAllowedElsewhere);
      return (writer = new ApiWriter(address, {}, WRITE_LIMITS));
    });
    if (writer === undefined) return EXIT.internal;
    const documents = await documentsOf(await readInputs(command.paths, context.reportProblem, command.reading), context.engine);
    const loading: Loading = { ...context, documents, opened, writer, signal: interruption.signal };
    const outcome = await measureRules(command, loading);
    return typeof outcome === 'number' ? outcome : await growthInstead(outcome.forbidden, command, loading);
  } finally {
    writer?.close();
    interruption.end();
  }
}

/** Reason why no definition was created: the user has no right to create or to delete definitions. */
interface Forbidden {
  readonly forbidden: string;
}

/** Measures the rules and prints the report. Resolves with the exit status, or with the reason why no definition was created. */
async function measureRules(command: RuleCostArguments, loading: Loading): Promise<number | Forbidden> {
  const { engine, documents, writer, signal, opened } = loading;
  const source = onlyDefinition(documents.definitions);
  for (const verb of ['create', 'delete'] as const) {
    const rights = await checkRights(writer, [DEFINITIONS], signal, verb);
    if (rights.kind === 'denied') return { forbidden: rights.reason };
  }
  const found = await costliestWrites(source, { options: opened.options, budgetMs: command.budgetMs }, engine, signal);
  if (signal.aborted) return ended('interrupted before definitions were created');
  // The server may close a connection that was idle during the search, and `writer` sends no write twice. So the writes use a new
  // connection.
  writer.close();
  if (found.writes.length === 0)
    throw new UsageError('no write was found that evaluates a rule and creates an object: a longer --budget may find one');
  const runId = newRunId();
  const plan = planOf(source, found.writes, runId);
  reportOnStderr(planText(plan, command, writer.address.name, runId));
  const temporary = new TemporaryDefinitions(writer, runId);
  const begunAt = performance.now();
  const measured = await measurePlan(plan, { temporary, writer, signal }, command);
  if ('forbidden' in measured) return measured;
  const seconds = (performance.now() - begunAt) / 1000;
  if (signal.aborted) reportOnStderr('removing the temporary definitions; a second Ctrl-C leaves them');
  const removal = await temporary.removeAll();
  const about = { cluster: writer.address.name, version: opened.version, definition: source.served.metadata.name, run: runId, seconds };
  const report = reportOf(about, { found, measured, removal, isInterrupted: signal.aborted });
  if (command.output === 'html') process.stdout.write((await import('./page.ts')).ruleCostPage(report));
  else print(command.output, report, () => ruleCostText(report, tableWidth()));
  return report.stopped === undefined && !report.isInterrupted && removal.left.length === 0 ? EXIT.ok : EXIT.rejected;
}

/**
 * Measures how the time of writes grows with their sizes, as `assay load --cluster --worst` does. Throws {@link UsageError} if the user did not
 * allow a load on another machine.
 */
async function growthInstead(why: string, command: RuleCostArguments, loading: Loading): Promise<number> {
  const { address } = loading.writer;
  if (!command.isLoadAllowed && !isOnThisMachine(address)) {
    const elsewhere = `${address.name} (${address.server.origin}) is not this machine`;
    throw new UsageError(`${why}. The growth over a ladder of sizes can be measured instead, but ${elsewhere}: ${LOAD_REASON}`);
  }
  reportOnStderr(`${why}, so the growth over a ladder of sizes is measured instead`);
  const { loadCluster } = await import('../cluster/run.ts');
  return loadCluster({ ...command, worstBudgetMs: command.budgetMs }, loading);
}

function ended(why: string): number {
  reportOnStderr(why);
  return EXIT.rejected;
}

interface Measuring {
  readonly temporary: TemporaryDefinitions;
  readonly writer: ApiWriter;
  readonly signal: AbortSignal;
}

/**
 * Creates the copies, waits until they are served, and sends the pairs. Any problem ends the measurement, and the outcome names it. A server
 * that forbids the first copy has created nothing.
 */
async function measurePlan(plan: Plan, measuring: Measuring, limits: PairLimits): Promise<PairsOutcome | Forbidden> {
  const progress = new ProgressLine(PROGRESS_MS);
  try {
    return await createAndSend(plan, { ...measuring, progress }, limits);
  } finally {
    progress.end();
  }
}

async function createAndSend(
  { copies, compared }: Plan,
  { temporary, writer, progress, signal }: Measuring & { readonly progress: ProgressLine },
  limits: PairLimits,
): Promise<PairsOutcome | Forbidden> {
  for (const [i, copy] of copies.entries()) {
    progress.report(() => `creating ${copies.length} temporary definitions`);
    const created = await temporary.create(copy, signal);
    if (created.ok) continue;
    const { kind, sentence } = created.problem;
    if (i === 0 && kind === 'forbidden') return { forbidden: `you may not create definitions: ${sentence}` };
    return { sent: [], stopped: `a temporary definition was not created: ${sentence}` };
  }
  for (const name of temporary.names) {
    const established = await temporary.untilEstablished(name, signal);
    if (!established.ok) return { sent: [], stopped: established.problem.sentence };
  }
  return sendPairs(compared, limits, {
    first: (write) => temporary.firstWrite(write, signal),
    send: (write) => writer.write(write, signal),
    reasonOf: (write, outcome) => reasonOf(writer, write, outcome),
    report: (text) => progress.report(text),
    signal,
  });
}

function reasonOf(writer: ApiWriter, { path }: ClusterWrite, outcome: WriteOutcome): string {
  if (outcome.kind === 'answered') return writer.refusal(path, outcome).sentence;
  return outcome.kind === 'stopped' ? 'it was stopped' : outcome.problem.sentence;
}

interface Findings {
  readonly found: CostliestWrites;
  readonly measured: PairsOutcome;
  readonly removal: Removal;
  readonly isInterrupted: boolean;
}

function reportOf(
  about: Pick<RuleCostReport, 'cluster' | 'version' | 'definition' | 'run' | 'seconds'>,
  { found, measured: { sent, stopped }, removal, isInterrupted }: Findings,
): RuleCostReport {
  const [control, all, ...ofRules] = sent;
  const bias = controlBias(control);
  return {
    schema: 'assay.dev/rule-costs/v1',
    ...about,
    isInterrupted,
    ...(stopped !== undefined && !isInterrupted && { stopped }),
    ...(control && { control: comparedTimes(control, 0) }),
    ...(all && { allRules: comparedTimes(all, bias) }),
    rules: ofRules.flatMap((pairs, i) => {
      const write = found.writes[i];
      return write === undefined ? [] : [ruleCost(write.rule, comparedTimes(pairs, bias))];
    }),
    notMeasured: found.needStored.map(({ path }) => ({
      path,
      why: 'its most expensive write updates a stored object, and dry runs store nothing',
    })),
    definitions: removal,
  };
}

/** Parsed arguments of `assay load --cluster --clean-up`, which removes temporary definitions of runs that were killed. */
export interface CleanUpArguments {
  readonly cluster: ClusterChoice;
  /** True if the server may be on another machine. */
  readonly isAllowedElsewhere: boolean;
  /** Id of the run whose definitions are removed; undefined for all runs. */
  readonly run: string | undefined;
  readonly output: OutputForm;
}

/**
 * Removes the temporary definitions of a run, or of all runs, and prints their names. Only definitions with both labels of `assay load` and with
 * the id of the run in their group are removed. Resolves with the exit status, which is 1 if a definition is left.
 */
export async function runCleanUp({ cluster, isAllowedElsewhere, run, output }: CleanUpArguments): Promise<number> {
  const address = valueOf(findCluster(cluster));
  requirePermission(address, isAllowedElsewhere);
  const writer = new ApiWriter(address);
  try {
    const found = valueOf(await findTemporary(writer)).filter((one) => run === undefined || one.run === run);
    const removal = await removeTemporary(writer, found);
    print(output, { schema: 'assay.dev/clean-up/v1', cluster: writer.address.name, ...removal }, () =>
      cleanUpText(removal, writer.address.name),
    );
    return removal.left.length === 0 ? EXIT.ok : EXIT.rejected;
  } finally {
    writer.close();
  }
}

function cleanUpText({ removed, left }: Removal, cluster: string): string {
  if (removed.length + left.length === 0) return `${cluster}: no temporary definitions of assay load were found\n`;
  const lines = [`${cluster}: ${times(removed.length, 'temporary definition')} removed`, ...removed.map((name) => `  ${name}`)];
  return [...lines, ...leftLines({ removed, left })].map((line) => `${line}\n`).join('');
}
