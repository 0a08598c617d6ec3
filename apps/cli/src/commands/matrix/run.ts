import { basename } from 'node:path';
import { shownText } from '#report';
import { versionMatrix } from '#service';
import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import { print } from '../../report/print.ts';
import { writeOptionFile } from '../../files/write-file.ts';
import { documentsOf, envelopeOf, hasNoDocuments } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { isRefused, placeMatrix, matrixText } from '../../report/version-matrix.ts';
import type { PlacedMatrix } from '../../report/version-matrix.ts';
import { matrixProblems } from './report/problems.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { withCatalogue } from '../../catalogue/with-catalogue.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { ReportForm } from '../../report/forms.ts';

/** Parsed arguments of `assay matrix`, which compares minor versions of Kubernetes. */
export interface MatrixArguments extends CommandSettings {
  /** Folder in which definitions for objects are searched if the given files do not contain them. */
  readonly crds: string | undefined;
  readonly paths: readonly string[];
  /** Minor versions that are compared, the oldest first. */
  readonly minors: readonly Minor[];
  /** File for a picture of the costs of all rules; undefined for no picture. */
  readonly chart: string | undefined;
  readonly output: ReportForm | 'markdown' | 'html';
  readonly options: EvaluationOptions;
}

/**
 * Runs `assay matrix`: computes the verdicts on the same documents under several minor versions. Resolves with the exit status. It is 1 if a
 * minor version refuses a document, or if minor versions differ.
 */
export async function runMatrix(command: MatrixArguments, { engine, reportProblem }: RunContext): Promise<number> {
  const read = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  const documents = await withCatalogue(read, command, reportProblem, engine);
  if (hasNoDocuments(documents)) throw new UsageError('no documents were found');
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
const isStudy = ({ chart, output }: MatrixArguments): boolean => chart !== undefined || output === 'markdown' || output === 'html';

/** Writes a picture of the costs of all rules on the first and on the last version. */
async function writeChart(file: string, matrix: PlacedMatrix): Promise<void> {
  const [{ matrixChart }, { standaloneChart }] = await Promise.all([import('./report/page.ts'), import('#report/charts')]);
  writeOptionFile(file, standaloneChart(matrixChart(matrix)));
}

async function studyOf(matrix: PlacedMatrix, form: 'markdown' | 'html', chart: string | undefined): Promise<string> {
  const { matrixStudy } = await import('./report/study.ts');
  const study = matrixStudy(matrix);
  if (form === 'markdown') return shownText((await import('./report/study.ts')).matrixMarkdown(study, chart && basename(chart)));
  const [{ matrixPage }, { matrixChart }] = await Promise.all([import('./report/page.ts'), import('./report/page.ts')]);
  return matrixPage(study, matrixChart(matrix));
}
