import { times } from '#numbers';
import type { Engine } from '#runner';
import type { EvaluationOptions } from '#documents';
import type { LoadProgress, sendLoad } from '../../../../../loadtests/src/load/send-load.ts';
import { print, reportOnStderr } from '../../report/print.ts';
import { ProgressLine } from '../../report/progress.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocuments } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { AssayService } from '../../service/assay-service.ts';
import { jsonDocuments, loadBodies, definitionUploads, worstWrites } from './load-bodies.ts';
import type { DefinitionUpload } from './load-bodies.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { loadReport, loadText } from './report.ts';
import type { LoadedObjects, LoadTarget } from './report.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';

/** Parsed arguments of `assay load`, which puts load on a deployment. */
export interface LoadArguments extends CommandSettings, LoadTarget {
  readonly paths: readonly string[];
  readonly durationMs: number;
  /** Number of objects per request. */
  readonly batch: number;
  /** Time budget in ms for finding the most expensive writes, which are sent as the load. Undefined if the given objects are sent. */
  readonly worstBudgetMs: number | undefined;
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** Interval in ms at which progress is written if the output is a log. */
const PROGRESS_MS = 2000;

/**
 * Runs the load test `assay load`: uploads the definitions to an Assay service, sends requests, and prints the results. Ctrl-C ends the
 * test and prints the results so far. Resolves with the exit status, which is 1 if a request failed or if no request was answered.
 */
export async function runLoad(command: LoadArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const send = await loadDriver();
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const progress = new ProgressLine(PROGRESS_MS);
  try {
    const documents = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
    const definitions = definitionUploads(documents.definitions);
    const { items, objects } = await itemsOf(command, documents, engine, stop.signal);
    if (stop.signal.aborted) return interrupted();
    const bodies = loadBodies(items, command.batch, { definitions, policies: documents.policies, options: command.options });
    const [first = Buffer.alloc(0)] = bodies;
    const service = new AssayService(command.url, process.env['ASSAY_KEY']);
    const problem = await prepareLoad(service, definitions, first, stop.signal);
    if (stop.signal.aborted) return interrupted();
    if (problem !== undefined) {
      reportOnStderr(problem);
      return EXIT.internal;
    }
    const seconds = command.durationMs / 1000;
    const findings = await send({
      url: `${service.url}${EVALUATE_PATH}`,
      headers: service.headers,
      bodies,
      pace: command.pace,
      seconds,
      signal: stop.signal,
      onProgress: (state) => progress.report(() => progressText(state, seconds)),
    });
    progress.end();
    const report = loadReport(command, objects, findings, stop.signal.aborted);
    print(command.output, report, () => loadText(report));
    return report.failed > 0 || report.answered === 0 ? EXIT.rejected : EXIT.ok;
  } finally {
    progress.end();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** Loads the load driver, which is only in the repository clone. Throws {@link UsageError} in the published package. */
async function loadDriver(): Promise<typeof sendLoad> {
  const lab: { readonly sendLoad?: typeof sendLoad } = await import('../../../../../loadtests/src/load/send-load.ts');
  if (lab.sendLoad === undefined)
    throw new UsageError('load is a part of the clone of Assay, not of this package: ./assay load URL -f FILES');
  return lab.sendLoad;
}

/**
 * Returns the items that are sent in turn, as JSON texts. The items are the given objects, or the most expensive writes that a search
 * finds.
 */
async function itemsOf(
  { worstBudgetMs, options, batch }: LoadArguments,
  { definitions, policies, objects }: PlacedDocuments,
  engine: Engine,
  signal: AbortSignal,
): Promise<{ readonly items: readonly string[]; readonly objects: LoadedObjects }> {
  if (definitions.length === 0 && (worstBudgetMs !== undefined || policies.policies.length === 0))
    throw new UsageError('no CustomResourceDefinition was found');
  if (worstBudgetMs === undefined) {
    if (objects.length === 0) throw new UsageError('no object was found: name files with objects, or --worst');
    return { items: jsonDocuments(objects), objects: { kind: 'given', count: objects.length, batch } };
  }
  const writes = await worstWrites(definitions, { options, budgetMs: worstBudgetMs }, engine, signal);
  const dearestCost = writes[0]?.rule.worst?.cost;
  return {
    items: writes.map(({ item }) => item),
    objects: { kind: 'worst', count: writes.length, batch, ...(dearestCost !== undefined && { dearestCost }) },
  };
}

function interrupted(): number {
  reportOnStderr('interrupted before the load began');
  return EXIT.rejected;
}

function progressText({ seconds, answered, broken }: LoadProgress, whole: number): string {
  const errors = broken === 0 ? '' : `, ${times(broken, 'error')}`;
  return `${Math.min(Math.round(seconds), Math.round(whole))} of ${Math.round(whole)} s: ${times(answered, 'request')} answered${errors}`;
}

/** Path to which evaluations are posted. */
const EVALUATE_PATH = '/evaluate';

/**
 * Uploads the definitions that the requests of a load test refer to, and sends one request as a check. Resolves with the reason why the
 * service cannot be tested; undefined if it can.
 */
async function prepareLoad(
  service: AssayService,
  definitions: readonly DefinitionUpload[],
  first: Buffer,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { source, digest, body } of definitions) {
    const reply = await service.ask({ method: 'PUT', path: `/definitions/${digest}`, body, signal });
    if (reply.kind !== 'answered') return `${reply.problem} (${source})`;
  }
  const answer = await service.ask({ method: 'POST', path: EVALUATE_PATH, body: first, signal });
  return answer.kind === 'answered' ? undefined : answer.problem;
}
