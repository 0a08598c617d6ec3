import { MINORS } from '#kube';
import type { Engine } from '#runner';
import { versionMatrix } from '#service';
import type { ReportProblem } from './find-files.ts';
import { print } from './print.ts';
import type { MatrixCommand } from './commands.ts';
import { documentsOf, envelopeOf, isEmpty } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import { isRefused, placeMatrix } from './place-matrix.ts';
import { matrixProblems } from './report/matrix-problems.ts';
import { matrixText } from './report-matrix.ts';
import { EXIT, UsageError } from './usage.ts';
import { withCatalogue } from './with-catalogue.ts';

/**
 * Runs `assay matrix`: computes the verdicts on the same documents under every minor version. Resolves with the exit status. It is 1 if a
 * minor version refuses a document, or if minor versions differ.
 */
export async function matrixCommand(command: MatrixCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const read = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  const documents = await withCatalogue(read, command, reportProblem, engine);
  if (isEmpty(documents)) throw new UsageError('no documents were found');
  const compared = await versionMatrix(engine, envelopeOf(documents, command.options), MINORS, { withStatuses: true });
  const matrix = placeMatrix(compared, documents);
  print(command.output, matrix, { text: () => matrixText(matrix), tools: () => matrixProblems(matrix) });
  const rows = [...matrix.definitions, ...(matrix.policies ?? []), ...matrix.objects];
  return rows.some((row) => row.changes || isRefused(row)) ? EXIT.rejected : EXIT.ok;
}
