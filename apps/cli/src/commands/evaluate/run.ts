import { pairDocuments } from '#service';
import { adviseDefinitions } from './advise-definitions.ts';
import { areMany, evaluateInSlices } from './slices.ts';
import { evaluate, withoutForeign } from '../../evaluation/evaluate.ts';
import { evaluationStatus } from '../../evaluation/evaluation-status.ts';
import { documentsOf, isEmpty } from '../../documents/read-documents.ts';
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
  if (isEmpty(inFiles)) throw new UsageError('no documents were found');
  const { access } = command.reading;
  const old = [
    ...(await readInputs(command.old, reportProblem, namedByOptions(command.reading))),
    ...readRevision(command.base, command.paths, access),
  ];
  // What a cluster is asked by is loaded only for it.
  const known = command.cluster && (await (await import('./beside-cluster.ts')).besideCluster(command, inFiles, reportProblem));
  const { documents, stored, options } = known ?? { documents: inFiles, stored: [], options: command.options };
  const before = [...stored, ...(await documentsOf(old, engine)).objects];
  const paired = pairDocuments(objects, before, options.asSent);
  const all = await evaluate({ ...documents, objects: paired }, options, engine);
  const outcome = await adviseDefinitions(command.strictKinds ? all : withoutForeign(all), documents, command, engine);
  process.stdout.write(wholeReport(await beginReport(command.output), outcome, new EvaluationView(files, command)));
  return evaluationStatus(command, outcome);
}
