import { ApiWriter, newRunId, sendPairs, TemporaryDefinitions } from '#cluster';
import type { ClusterWrite, PairLimits, PairsOutcome, Removal, WriteOutcome } from '#cluster';
import type { EvaluationOptions } from '#documents';
import type { CommandSettings } from '../../../options/shared-options.ts';
import { openCluster } from '../../../cluster/open-cluster.ts';
import type { ClusterOption } from '../../../cluster/open-cluster.ts';
import { documentsOf } from '../../../documents/read-documents.ts';
import { readInputs } from '../../../documents/read-inputs.ts';
import { tableWidth } from '../../../report/fitted-table.ts';
import { print, reportOnStderr } from '../../../report/print.ts';
import { ProgressLine } from '../../../report/progress.ts';
import { EXIT, UsageError } from '../../../usage.ts';
import type { RunContext } from '../../command.ts';
import { checkRights } from '../cluster/rights.ts';
import type { Loading } from '../cluster/run.ts';
import type { MeasurementForm } from '../measurement-forms.ts';
import { isOnThisMachine, LOAD_REASON } from '../require-loopback.ts';
import { dearestWrites } from './dearest-writes.ts';
import type { DearestWrites } from './dearest-writes.ts';
import { onlyDefinition, planOf, planText } from './plan.ts';
import type { Plan } from './plan.ts';
import { requirePermission } from './require-permission.ts';
import { comparedTimes, controlBias, ruleCost, ruleCostText } from './report.ts';
import type { RuleCostReport } from './report.ts';

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
 * rules, and one without each of its five dearest rules. Sends the dearest writes as dry runs in pairs, removes the copies, and prints the
 * differences. If the user may not create and delete definitions, the growth over a ladder of sizes is measured instead. Ctrl-C ends the
 * measurement, removes the copies and prints what is known. Resolves with the exit status, which is 1 if the measurement ended early or a
 * copy is left.
 */
export async function runRuleCosts(command: RuleCostArguments, context: RunContext): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const timer = command.timeoutMs === undefined ? undefined : setTimeout(interrupt, command.timeoutMs);
  let writer: ApiWriter | undefined;
  try {
    const opened = await openCluster(command.cluster, command.options, (address) => {
      requirePermission(address, command.isAllowedElsewhere);
      return (writer = new ApiWriter(address, {}, WRITE_LIMITS));
    });
    if (writer === undefined) return EXIT.internal;
    const documents = await documentsOf(await readInputs(command.paths, context.reportProblem, command.reading), context.engine);
    const loading: Loading = { ...context, documents, opened, writer, signal: stop.signal };
    const outcome = await measureRules(command, loading);
    return typeof outcome === 'number' ? outcome : await growthInstead(outcome.forbidden, command, loading);
  } finally {
    clearTimeout(timer);
    writer?.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
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
  const found = await dearestWrites(source, { options: opened.options, budgetMs: command.budgetMs }, engine, signal);
  if (signal.aborted) return ended('interrupted before definitions were created');
  // The server may close a connection that was idle during the search, and a write is never sent twice.
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
  readonly found: DearestWrites;
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
      why: 'its dearest write updates a stored object, and dry runs store nothing',
    })),
    definitions: removal,
  };
}
