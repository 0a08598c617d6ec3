import { times } from '#numbers';
import type { Engine } from '#runner';
import type { EvaluationOptions, DocumentSlice } from '#documents';
import type { LoadProgress } from '../../../../../loadtests/src/load/send-load.ts';
import { print, reportOnStderr, ProgressLine } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocuments, PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { AssayService } from '../../service/assay-service.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { costliestRules } from './costliest-writes.ts';
import { loadDriver } from './load-driver.ts';
import { loadReport, loadText } from './report.ts';
import type { LoadedObjects, LoadTarget } from './report.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';
import { optionsJson, sentDigest, documentJson } from '#documents';
import { describeWrites } from '#service';
import type { DescribedWrite } from '#service';
import { Interruption } from '../../interruption.ts';

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
  const { sendLoad: send } = await loadDriver();
  const interruption = new Interruption();
  const progress = new ProgressLine(PROGRESS_MS);
  try {
    const documents = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
    const definitions = definitionUploads(documents.definitions);
    const { items, objects } = await itemsOf(command, documents, engine, interruption.signal);
    if (interruption.isInterrupted) return interrupted();
    const bodies = loadBodies(items, command.batch, { definitions, policies: documents.policies, options: command.options });
    const [first = Buffer.alloc(0)] = bodies;
    const service = new AssayService(command.url, process.env['ASSAY_KEY']);
    const problem = await prepareLoad(service, definitions, first, interruption.signal);
    if (interruption.isInterrupted) return interrupted();
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
      signal: interruption.signal,
      onProgress: (state) => progress.report(() => progressText(state, seconds)),
    });
    progress.end();
    const report = loadReport(command, objects, findings, interruption.isInterrupted);
    print(command.output, report, () => loadText(report));
    return report.failed > 0 || report.answered === 0 ? EXIT.rejected : EXIT.ok;
  } finally {
    progress.end();
    interruption.end();
  }
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
  const costliestCost = writes[0]?.rule.worst?.cost;
  return {
    items: writes.map(({ item }) => item),
    objects: { kind: 'worst', count: writes.length, batch, ...(costliestCost !== undefined && { costliestCost }) },
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

/** Definition that is uploaded to the service once, before a load test starts. */
interface DefinitionUpload {
  /** File name of the document and its number in the file. */
  readonly source: string;
  readonly digest: string;
  /** Definition as JSON. */
  readonly body: Buffer;
}

/** Returns definitions in the form in which they are uploaded to a service. Throws {@link UsageError} if a document cannot be read. */
function definitionUploads(documents: readonly PlacedDocument[]): readonly DefinitionUpload[] {
  return documents.map(({ source, slice }) => {
    const body = Buffer.from(jsonOf(slice, source));
    return { source, digest: sentDigest(body), body };
  });
}

/** Parts of the request body that are the same in all requests of a load test. */
interface LoadFrame {
  readonly definitions: readonly DefinitionUpload[];
  readonly policies: PlacedDocuments['policies'];
  readonly options: EvaluationOptions;
}

/**
 * Returns request bodies of `POST /evaluate` for a load test. Each body has `batch` objects, and all bodies together contain all objects in
 * `items`. If too few objects are left for the last body, it is filled up with the first objects. Definitions are referred to by their
 * digests.
 */
function loadBodies(items: readonly string[], batch: number, { definitions, policies, options }: LoadFrame): readonly Buffer[] {
  const slices = (some: readonly DocumentSlice[]): string => some.map((slice) => jsonOf(slice, 'a policy')).join(',');
  const head = [
    `"definitionRefs":${JSON.stringify(definitions.map(({ digest }) => digest))}`,
    ...(policies.policies.length === 0 ? [] : [`"policies":[${slices(policies.policies)}]`, `"cluster":[${slices(policies.cluster)}]`]),
    `"options":${optionsJson(options)}`,
  ].join(',');
  return Array.from({ length: Math.ceil(items.length / batch) }, (_, body) => {
    const objects = Array.from({ length: batch }, (_, i) => items[(body * batch + i) % items.length]);
    return Buffer.from(`{${head},"objects":[${objects.join(',')}]}`);
  });
}

/** Returns a document as JSON. `source` is its name in errors. Throws {@link UsageError} if the document cannot be read. */
function jsonOf(slice: DocumentSlice, source: string): string {
  const read = documentJson(slice);
  if (!read.ok) throw new UsageError(`${source}: it cannot be read: ${read.error}`);
  return read.json;
}

/** Returns documents as JSON texts. Throws {@link UsageError} if a document cannot be read. */
const jsonDocuments = (documents: readonly PlacedDocument[]): readonly string[] =>
  documents.map(({ source, slice }) => jsonOf(slice, source));

/** Maximum number of writes that are sent; the most expensive writes are chosen. Each write has up to 3 MiB. */
const MAX_WRITES = 50;

/**
 * Searches within a time budget for the most expensive write request that each rule can get. Returns the requests, highest cost first.
 * Throws {@link UsageError} if no request is found.
 */
async function worstWrites(
  definitions: readonly PlacedDocument[],
  { options, budgetMs }: { readonly options: EvaluationOptions; readonly budgetMs: number },
  engine: Engine,
  signal: AbortSignal,
): Promise<readonly DescribedWrite[]> {
  const studied = { definitions: definitions.map(({ source, slice }) => ({ source, slice })), options };
  const costliest = (await costliestRules(definitions, { options, budgetMs }, engine, signal)).slice(0, MAX_WRITES);
  const writes = await describeWrites(engine, studied, costliest, signal);
  if (writes.length === 0 && !signal.aborted) throw new UsageError('--worst: no write was found for the rules of the definitions');
  return writes;
}
