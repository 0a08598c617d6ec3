import { pairDocuments, advise } from '#service';
import type { Engine } from '#runner';
import { areMany, evaluateInSlices } from './slices.ts';
import { evaluate, skipUnknownKinds, evaluationStatus } from '../../evaluation/evaluate.ts';
import type { EvaluationOutcome } from '../../evaluation/evaluate.ts';
import { documentsOf, hasNoDocuments } from '../../documents/read-documents.ts';
import type { PlacedBatch } from '../../documents/read-documents.ts';
import { listInputs, OtherFiles, readInputs, readListed } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { namedByOptions } from '../../options/shared-options.ts';
import { UsageError } from '../../usage.ts';
import { withCatalogue } from '../../catalogue/with-catalogue.ts';
import type { EvaluateArguments } from './arguments.ts';
import type { RunContext } from '../command.ts';
import { beginReport } from './report/all-reports.ts';
import { wholeReport } from './report/report.ts';
import { EvaluationView } from './report/view.ts';
import { adviceFinding, placeAdvice } from '../../evaluation/place-findings.ts';

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
  // What a cluster is asked by is loaded only for it.
  const known = command.cluster && (await (await import('./merge-with-cluster.ts')).mergeWithCluster(command, inFiles, reportProblem));
  const { documents, stored, options } = known ?? { documents: inFiles, stored: [], options: command.options };
  const before = [...stored, ...(await documentsOf(old, engine)).objects];
  const paired = pairDocuments(objects, before, options.asSent);
  const all = await evaluate({ ...documents, objects: paired }, options, engine);
  const outcome = await adviseDefinitions(command.strictKinds ? all : skipUnknownKinds(all), documents, command, engine);
  process.stdout.write(wholeReport(await beginReport(command.output), outcome, new EvaluationView(files, command)));
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
