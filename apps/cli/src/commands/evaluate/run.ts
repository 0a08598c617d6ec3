import { pairDocuments, advise } from '#service';
import type { Engine } from '#runner';
import { evaluate, skipUnknownKinds, evaluationStatus, validateDefinitions } from '../../evaluation/evaluate.ts';
import type { EvaluationOutcome } from '../../evaluation/evaluate.ts';
import { documentsOf, hasNoDocuments, mergeDocuments } from '../../documents/read-documents.ts';
import type { PlacedBatch, PlacedDocuments } from '../../documents/read-documents.ts';
import { listInputs, OtherFiles, readInputs, readListed } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { namedByOptions } from '../../options/shared-options.ts';
import { UsageError } from '../../usage.ts';
import { withCatalogue } from '../../catalogue/with-catalogue.ts';
import type { EvaluateArguments } from './arguments.ts';
import type { RunContext } from '../command.ts';
import { beginReport } from './report/all-reports.ts';
import { wholeReport, EvaluationView } from './report/report.ts';
import { adviceFinding, placeAdvice } from '../../evaluation/place-findings.ts';
import { NO_POLICIES, addTally, emptyTally } from '#documents';
import { isFile, statsOf } from '../../files/file-access.ts';
import type { ReportProblem } from '../../files/file-problem.ts';
import { isAddress } from '../../documents/fetch-input.ts';
import { ProgressBar } from '../../report/print.ts';
import type { NamedFile } from '../../documents/read-inputs.ts';

/** Runs `assay evaluate` in these steps: documents → older state of the documents → verdicts → report. Resolves with the exit status. */
export async function runEvaluate(command: EvaluateArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const listed = listInputs(command.paths, reportProblem, command.reading);
  const sliced =
    command.cluster === undefined && areMany(listed, command) ? await evaluateInSlices(command, listed, engine, reportProblem) : undefined;
  if (sliced !== undefined) return sliced;
  const others = new OtherFiles();
  const read = await documentsOf(await readListed(listed, others, reportProblem), engine);
  others.report();
  const inFiles = await withCatalogue(read, command, reportProblem, engine);
  const { objects, files } = inFiles;
  if (hasNoDocuments(inFiles)) throw new UsageError('no documents were found');
  const { access } = command.reading;
  const old = [
    ...(await readInputs(command.old, reportProblem, namedByOptions(command.reading))),
    ...readRevision(command.base, command.paths, access),
  ];
  // Loads the code for clusters only on demand.
  const known = command.cluster && (await (await import('./merge-with-cluster.ts')).mergeWithCluster(command, inFiles, reportProblem));
  const { documents, stored, options } = known ?? { documents: inFiles, stored: [], options: command.options };
  const before = [...stored, ...(await documentsOf(old, engine)).objects];
  const paired = pairDocuments(objects, before, options);
  // The report's code loads while the threads judge.
  const begun = beginReport(command.output);
  const all = await evaluate({ ...documents, objects: paired }, options, engine);
  const outcome = await adviseDefinitions(command.strictKinds ? all : skipUnknownKinds(all), documents, command, engine);
  process.stdout.write(wholeReport(await begun, outcome, new EvaluationView(files, command)));
  return evaluationStatus(command, outcome);
}

/**
 * Returns the outcome with advice added for refused definitions, or for all definitions if there are no objects. If there are objects, an
 * accepted definition gets no advice, so that the verdicts on the objects are not delayed. No advice is added if all advice is suppressed,
 * or if `quiet` or `asServer` is set.
 */
async function adviseDefinitions(
  outcome: EvaluationOutcome,
  { definitions, objects }: PlacedBatch,
  { options, unwantedAdvice, quiet, asServer }: EvaluateArguments,
  engine: Engine,
): Promise<EvaluationOutcome> {
  if (unwantedAdvice === 'all' || quiet || asServer) return outcome;
  const wanted = outcome.definitions.map((report, i) => (report.accepted && objects.length > 0 ? undefined : definitions[i]));
  const found = wanted.filter((document) => document !== undefined);
  const advised = await advise(engine, { definitions: found.map(({ slice }) => slice), options });
  const answers = new Map(found.map((document, i) => [document, advised.definitions[i]]));
  const withAdvice = outcome.definitions.map((report, i) => {
    const document = wanted[i];
    const found = document === undefined ? [] : (answers.get(document)?.advice ?? []);
    const advice = placeAdvice(found, document, unwantedAdvice).map(adviceFinding);
    return advice.length === 0 ? report : { ...report, findings: [...(report.findings ?? []), ...advice] };
  });
  return { ...outcome, definitions: withAdvice };
}

/** Maximum size of one slice: its number of files, and its number of bytes. The command reads and validates one slice at a time. */
const SLICE = { files: 2000, bytes: 32 * 1024 * 1024 } as const;

/**
 * Returns true if `assay evaluate` validates the files in slices. This requires more than `SLICE.files` files, and no `old` or `base`
 * option that supplies earlier objects. Each path must be a regular file, because the command reads it twice.
 */
function areMany(files: readonly NamedFile[], { old, base }: EvaluateArguments): boolean {
  if (files.length <= SLICE.files || old.length > 0 || base !== undefined) return false;
  return files.every(({ name }) => name !== '-' && !isAddress(name) && isFile(name));
}

/**
 * Evaluates many files in bounded memory, in these steps: find all definitions → validate the definitions → read, validate and report the
 * objects in slices. Resolves with the exit status. Resolves to undefined, without any verdict, if there are policies, because policies may
 * read objects of any file.
 */
async function evaluateInSlices(
  command: EvaluateArguments,
  files: readonly NamedFile[],
  engine: Engine,
  reportProblem: ReportProblem,
): Promise<number | undefined> {
  const found = await definitionsOf(command, files, engine, reportProblem);
  if (found === undefined) return undefined;
  const batch = await withCatalogue(found, command, reportProblem, engine);
  const prepared = await validateDefinitions({ ...batch, policies: NO_POLICIES }, command.options, engine);
  const { definitions } = await prepared.reports();
  const report = await beginReport(command.output);
  process.stdout.write(report.open({ definitions }, new EvaluationView(batch.files, command)));
  const summary = emptyTally();
  let skipped = 0;
  let fileCount = 0;
  let judgedBefore = 0;
  const progress = new ProgressBar('objects judged');
  for (const slice of slicesOf(files)) {
    // An earlier pass over the files has already reported unreadable files.
    const read = await documentsOf(await readListed(slice, new OtherFiles(), () => undefined), engine);
    const judged = { definitions, ...(await prepared.judge(read.objects, progress)), skipped: 0 };
    const outcome = command.strictKinds ? judged : skipUnknownKinds(judged);
    // Each slice counts its objects from 0, but the report counts the objects of all slices.
    const items = outcome.items.map((item) => ({ ...item, index: item.index + judgedBefore }));
    judgedBefore += judged.items.length;
    process.stdout.write(report.items(items, new EvaluationView(read.files, command)));
    addTally(summary, outcome.summary);
    skipped += outcome.skipped;
    fileCount += read.files.length;
  }
  progress.end();
  const whole = { definitions, items: [], summary, skipped };
  process.stdout.write(report.close(whole, new EvaluationView([], command, fileCount)));
  return evaluationStatus(command, whole);
}

/** Returns all documents except the objects, and the types of the objects. Returns undefined if there are policies. */
async function definitionsOf(
  { crds }: EvaluateArguments,
  files: readonly NamedFile[],
  engine: Engine,
  reportProblem: ReportProblem,
): Promise<PlacedDocuments | undefined> {
  const others = new OtherFiles();
  const parts: PlacedDocuments[] = [];
  for (const slice of slicesOf(files)) {
    const inputs = await readListed(slice, others, reportProblem);
    // The catalogue needs the types of all objects, so the loop reads every slice.
    const read = await documentsOf(crds === undefined ? inputs.filter(({ bytes }) => mayDefine(bytes)) : inputs, engine);
    if (read.policies.policies.length > 0) return undefined;
    const holding = new Set(read.definitions.map(({ place }) => place?.file));
    const types = { names: [...new Set(read.texts.flatMap((text) => text.types.names))], of: new Uint32Array(), parameters: [] };
    parts.push({
      ...read,
      objects: [],
      files: read.files.filter((file) => holding.has(file)),
      texts: [{ definitions: [], policies: [], objects: [], types }],
    });
  }
  others.report();
  return mergeDocuments(parts);
}

/**
 * Texts that identify files with definitions or policies: each such file contains at least one of them. Escapes and zero bytes of two-byte
 * encodings are included, because they may hide the name of a kind.
 */
const DEFINING = ['CustomResourceDefinition', 'CompositeResourceDefinition', 'admissionregistration', '\\', '\0'] as const;

/**
 * Returns true if a file may contain definitions or policies. Most files contain only objects, so this quick check avoids splitting them
 * into documents.
 */
const mayDefine = (bytes: Buffer): boolean => DEFINING.some((text) => bytes.includes(text));

function sizeOf(path: string): number {
  const stats = statsOf(path);
  return stats.ok ? stats.content.size : 0;
}

function* slicesOf(files: readonly NamedFile[]): Generator<NamedFile[]> {
  let slice: NamedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    slice.push(file);
    bytes += sizeOf(file.name);
    if (slice.length < SLICE.files && bytes < SLICE.bytes) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}
