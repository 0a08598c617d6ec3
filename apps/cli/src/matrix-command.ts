import { basename } from 'node:path';
import { shownText } from '#report';
import type { Engine } from '#runner';
import { versionMatrix } from '#service';
import type { ReportProblem } from './find-files.ts';
import { print } from './print.ts';
import type { MatrixCommand } from './commands.ts';
import { writeOptionFile } from './files/write-file.ts';
import { documentsOf, envelopeOf, isEmpty } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import { isRefused, placeMatrix } from './place-matrix.ts';
import type { PlacedMatrix } from './place-matrix.ts';
import { matrixProblems } from './report/matrix-problems.ts';
import { matrixText } from './report-matrix.ts';
import { EXIT, UsageError } from './usage.ts';
import { withCatalogue } from './with-catalogue.ts';

/**
 * Runs `assay matrix`: computes the verdicts on the same documents under several minor versions. Resolves with the exit status. It is 1 if a
 * minor version refuses a document, or if minor versions differ.
 */
export async function matrixCommand(command: MatrixCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const read = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  const documents = await withCatalogue(read, command, reportProblem, engine);
  if (isEmpty(documents)) throw new UsageError('no documents were found');
  const { minors, options } = command;
  const compared = await versionMatrix(engine, envelopeOf(documents, options), minors, {
    withStatuses: true,
    withRules: isStudy(command),
    alone: isStudy(command),
  });
  const matrix = placeMatrix(compared, documents);
  if (command.chart !== undefined) await writeChart(command.chart, matrix);
  if (command.output === 'markdown' || command.output === 'html')
    process.stdout.write(await studyOf(matrix, command.output, command.chart));
  else print(command.output, matrix, { text: () => matrixText(matrix), tools: () => matrixProblems(matrix) });
  const rows = [...matrix.definitions, ...(matrix.policies ?? []), ...matrix.objects];
  return rows.some((row) => row.changes || isRefused(row)) ? EXIT.rejected : EXIT.ok;
}

/** Returns true if the result is a report or a picture. They show the costs of all rules, and judge each definition as created by itself. */
const isStudy = ({ chart, output }: MatrixCommand): boolean => chart !== undefined || output === 'markdown' || output === 'html';

/** Writes a picture of the costs of all rules on the first and on the last version. */
async function writeChart(file: string, matrix: PlacedMatrix): Promise<void> {
  const [{ matrixChart }, { standaloneChart }] = await Promise.all([import('./report/matrix-chart.ts'), import('#report/charts')]);
  writeOptionFile(file, standaloneChart(matrixChart(matrix)));
}

async function studyOf(matrix: PlacedMatrix, form: 'markdown' | 'html', chart: string | undefined): Promise<string> {
  const { matrixStudy } = await import('./report/matrix-study.ts');
  const study = matrixStudy(matrix);
  if (form === 'markdown') return shownText((await import('./report/matrix-markdown.ts')).matrixMarkdown(study, chart && basename(chart)));
  const [{ matrixPage }, { matrixChart }] = await Promise.all([import('./report/matrix-page.ts'), import('./report/matrix-chart.ts')]);
  return matrixPage(study, matrixChart(matrix));
}
