import {
  copyDefinition,
  copyGroup,
  ApiWriter,
  moveToGroup,
  newRunId,
  pathOfResource,
  sendPairs,
  servedDefinition,
  TemporaryDefinitions,
} from '#cluster';
import type {
  ClusterWrite,
  ComparedWrites,
  PairLimits,
  PairsOutcome,
  LeftOutRules,
  Removal,
  ServedDefinition,
  WriteOutcome,
} from '#cluster';
import { readSlice } from '#documents';
import type { EvaluationOptions } from '#documents';
import { isJsonObject, writeJson } from '#go';
import type { JsonObject } from '#go';
import { times } from '#numbers';
import type { CommandSettings } from '../../../options/shared-options.ts';
import { openCluster } from '../../../cluster/open-cluster.ts';
import type { ClusterOption } from '../../../cluster/open-cluster.ts';
import { documentsOf } from '../../../documents/read-documents.ts';
import { readInputs } from '../../../documents/read-inputs.ts';
import type { OutputForm } from '../../../report/forms.ts';
import { tableWidth } from '../../../report/fitted-table.ts';
import { print, reportOnStderr } from '../../../report/print.ts';
import { ProgressLine } from '../../../report/progress.ts';
import { EXIT, UsageError } from '../../../usage.ts';
import type { RunContext } from '../../command.ts';
import { checkRights } from '../cluster/rights.ts';
import { dearestWrites } from './dearest-writes.ts';
import type { DearestWrite, DearestWrites, StudiedSource } from './dearest-writes.ts';
import { requirePermission } from './require-permission.ts';
import { comparedTimes, controlBias, ruleCost, ruleCostText } from './report.ts';
import type { RuleCostReport } from './report.ts';

/** Parsed arguments of `assay load --cluster --temporary-definitions`, which measures what the rules of a definition cost. */
export interface RuleCostArguments extends CommandSettings, PairLimits {
  readonly paths: readonly string[];
  readonly cluster: ClusterOption;
  /** True if the server may be on another machine. */
  readonly isAllowedElsewhere: boolean;
  /** Time budget in ms for finding the most expensive writes. */
  readonly budgetMs: number;
  readonly output: OutputForm;
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
 * differences. Ctrl-C ends the measurement, removes the copies and prints what is known. Resolves with the exit status, which is 1 if the
 * measurement ended early or a copy is left.
 */
export async function runRuleCosts(command: RuleCostArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const timer = command.timeoutMs === undefined ? undefined : setTimeout(interrupt, command.timeoutMs);
  const progress = new ProgressLine(PROGRESS_MS);
  let writer: ApiWriter | undefined;
  try {
    const { options, version } = await openCluster(command.cluster, command.options, (address) => {
      requirePermission(address, command.isAllowedElsewhere);
      return (writer = new ApiWriter(address, {}, WRITE_LIMITS));
    });
    if (writer === undefined) return EXIT.internal;
    const documents = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
    const source = onlyDefinition(documents.definitions);
    for (const verb of ['create', 'delete'] as const) await checkRights(writer, [DEFINITIONS], stop.signal, verb);
    const found = await dearestWrites(source, { options, budgetMs: command.budgetMs }, engine, stop.signal);
    if (stop.signal.aborted) return ended('interrupted before definitions were created');
    if (found.writes.length === 0)
      throw new UsageError('no write was found that evaluates a rule and creates an object: a longer --budget may find one');
    const runId = newRunId();
    const plan = planOf(source, found.writes, runId);
    reportOnStderr(planText(plan, command, writer.address.name, runId));
    const temporary = new TemporaryDefinitions(writer, runId);
    const begunAt = performance.now();
    const measured = await measurePlan(plan, { temporary, writer, progress, signal: stop.signal }, command);
    const seconds = (performance.now() - begunAt) / 1000;
    progress.end();
    if (stop.signal.aborted) reportOnStderr('removing the temporary definitions; a second Ctrl-C leaves them');
    const removal = await temporary.removeAll();
    const about = { cluster: writer.address.name, version, definition: source.served.metadata.name, run: runId, seconds };
    const report = reportOf(about, { found, measured, removal, isInterrupted: stop.signal.aborted });
    print(command.output, report, () => ruleCostText(report, tableWidth()));
    return report.stopped === undefined && !report.isInterrupted && removal.left.length === 0 ? EXIT.ok : EXIT.rejected;
  } finally {
    progress.end();
    clearTimeout(timer);
    writer?.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function ended(why: string): number {
  reportOnStderr(why);
  return EXIT.rejected;
}

/** Returns the only definition. Throws {@link UsageError} if there are none or several, or if it cannot be read. */
function onlyDefinition(
  definitions: readonly Pick<StudiedSource, 'source' | 'slice'>[],
): StudiedSource & { readonly document: JsonObject } {
  const [one, ...others] = definitions;
  if (one === undefined) throw new UsageError('no CustomResourceDefinition was found');
  if (others.length > 0)
    throw new UsageError(`--temporary-definitions measures one definition at a time: ${definitions.length} were found`);
  const reading = readSlice(one.slice);
  const served = reading.ok ? servedDefinition(reading.value) : undefined;
  if (!reading.ok || served === undefined || !isJsonObject(reading.value))
    throw new UsageError(`${one.source}: it cannot be read as a definition`);
  return { ...one, served, document: reading.value };
}

/** Copies of a definition, and the writes that are compared. */
interface Plan {
  readonly copies: readonly JsonObject[];
  /** Comparison of two equal copies, comparison of all rules with none, and one comparison for each write. */
  readonly compared: readonly ComparedWrites[];
}

/** Labels of the copies in a run. */
const [WHOLE, EQUAL, BARE] = ['whole', 'equal', 'bare'] as const;

function planOf(
  { document, served }: StudiedSource & { readonly document: JsonObject },
  writes: readonly DearestWrite[],
  runId: string,
): Plan {
  const copy = (label: string, leftOut: LeftOutRules): JsonObject => {
    const made = copyDefinition(document, { runId, label }, leftOut);
    if (made === undefined) throw new UsageError(`${served.metadata.name}: no copy can be made of it`);
    return made;
  };
  const without = (i: number): string => `without-${i + 1}`;
  const to = (label: string, { object }: DearestWrite): ClusterWrite => writeTo(copyGroup({ runId, label }), object, served);
  const [dearest] = writes;
  return {
    copies: [
      copy(WHOLE, 'none'),
      copy(EQUAL, 'none'),
      copy(BARE, 'all'),
      ...writes.map(({ rule: { version, path } }, i) => copy(without(i), { version, path })),
    ],
    compared: [
      ...(dearest === undefined ? [] : [EQUAL, BARE].map((label) => ({ a: to(label, dearest), b: to(WHOLE, dearest) }))),
      ...writes.map((write, i) => ({ a: to(without(i), write), b: to(WHOLE, write) })),
    ],
  };
}

/** Namespace of objects that have none. */
const NAMESPACE = 'default';

/** Returns the dry run that creates an object in the group of a copy. */
function writeTo(group: string, object: JsonObject, { spec }: ServedDefinition): ClusterWrite {
  const moved = moveToGroup(object, group) ?? object;
  const metadata = isJsonObject(moved['metadata']) ? moved['metadata'] : {};
  const isNamespaced = spec.scope !== 'Cluster';
  const placed = { ...moved, metadata: { ...metadata, ...(isNamespaced && { namespace: NAMESPACE }) } };
  const version = String(moved['apiVersion']).split('/')[1] ?? '';
  const path = pathOfResource({ group, version, plural: spec.names.plural, ...(isNamespaced && { namespace: NAMESPACE }) });
  return { method: 'POST', path: `${path}?dryRun=All`, body: Buffer.from(writeJson(placed)) };
}

function planText({ copies, compared }: Plan, { rate, durationMs }: PairLimits, cluster: string, runId: string): string {
  const sends = `sends dry runs of ${times(compared.length, 'pair')} of writes for ${durationMs / 1000} s, at most ${rate} a second`;
  return [
    `creates ${copies.length} temporary definitions in ${cluster} (run ${runId}), ${sends}, and removes the definitions.`,
    'Nothing else is stored, but dry runs load the server and call its webhooks.',
    `If this process is killed, assay load --cluster --clean-up ${runId} removes the definitions`,
  ].join(' ');
}

interface Measuring {
  readonly temporary: TemporaryDefinitions;
  readonly writer: ApiWriter;
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

/** Creates the copies, waits until they are served, and sends the pairs. Any problem ends the measurement, and the outcome names it. */
async function measurePlan(
  { copies, compared }: Plan,
  { temporary, writer, progress, signal }: Measuring,
  limits: PairLimits,
): Promise<PairsOutcome> {
  for (const copy of copies) {
    progress.report(() => `creating ${copies.length} temporary definitions`);
    const created = await temporary.create(copy, signal);
    if (!created.ok) return { sent: [], stopped: `a temporary definition was not created: ${created.problem.sentence}` };
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
