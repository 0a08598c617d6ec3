import { basename } from 'node:path';
import { shownText } from '#report';
import { versionMatrix } from '#service';
import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import { print } from '../../report/print.ts';
import { writeOptionFile } from '../../files/write-file.ts';
import { documentsOf, envelopeOf, hasNoDocuments } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { isRefused, placeMatrix, matrixText, minorsText } from '../../report/version-matrix.ts';
import type { PlacedMatrix } from '../../report/version-matrix.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { withCatalogue } from '../../catalogue/with-catalogue.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { ReportForm } from '../../report/forms.ts';
import { minorWords } from '#kube';
import type { JunitCase } from '#report';
import { PROBLEM_RULES, policyProblemRule, problemRule } from '../../report/tool-report.ts';
import type { Problem, ToolReport } from '../../report/tool-report.ts';

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

type Row = PlacedMatrix['definitions'][number] | NonNullable<PlacedMatrix['policies']>[number] | PlacedMatrix['objects'][number];

/**
 * Returns the comparison of verdicts between Kubernetes minor versions as a report for tools. It contains the errors of all minor versions,
 * and the findings that only some minor versions report. Each document is a test case. The case fails if minor versions differ or refuse it.
 */
function matrixProblems({ minors, definitions, policies = [], objects }: PlacedMatrix): ToolReport {
  const rows = [
    ...definitions.map((row) => ({ row, about: `CustomResourceDefinition ${JSON.stringify(row.name)}`, ruleOf: problemRule })),
    ...policies.map((row) => ({ row, about: `${row.kind} ${JSON.stringify(row.name)}`, ruleOf: policyProblemRule })),
    ...objects.map((row) => ({
      row,
      about: `object ${row.name === undefined ? row.index : JSON.stringify(row.name)}`,
      ruleOf: problemRule,
    })),
  ];
  const problems = rows.flatMap(({ row, about, ruleOf }) => {
    const file = row.location?.file ?? row.source;
    const common = row.findings.filter(({ severity, minors: some }) => severity === 'error' && some.length === minors.length);
    return [...common.map((finding) => ({ rule: ruleOf(finding, about), finding, file, about })), ...problemsOf(row, about, minors)];
  });
  const cases = rows.map(({ row, about }): JunitCase => {
    const file = row.location?.file ?? row.source;
    const lines = row.findings.map(({ message, minors: some }) => `${minorsText(some, minors, minorWords)}: ${message}`);
    return {
      name: about,
      classname: file,
      file,
      line: row.location?.line,
      failure:
        row.changes || isRefused(row)
          ? [row.changes ? 'not the same in all Kubernetes versions' : 'refused', ...lines].join('\n')
          : undefined,
    };
  });
  return { rules: { ...PROBLEM_RULES, 'other-minor': 'Not all Kubernetes versions say the same of this document' }, problems, cases };
}

function problemsOf(row: Row, about: string, minors: PlacedMatrix['minors']): Problem[] {
  const file = row.location?.file ?? row.source;
  const differing = row.findings.filter((finding) => finding.minors.length < minors.length);
  const differences = differing.map((finding): Problem => ({
    rule: 'other-minor',
    finding,
    file,
    about: `${about} on ${minorsText(finding.minors, minors, minorWords)}`,
  }));
  if (differences.length > 0 || !row.changes) return differences;
  const place = row.location && { location: { ...row.location, endLine: row.location.line, endColumn: row.location.column + 1 } };
  return [
    {
      rule: 'other-minor',
      file,
      about,
      finding: { severity: 'warning', message: 'costs are not the same in all Kubernetes versions', ...place },
    },
  ];
}
