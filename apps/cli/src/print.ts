import { jsonText, shownText } from '#report';
import type { EvaluationOutcome } from './evaluate.ts';
import type { EvaluateCommand, OutputForm } from './commands.ts';
import type { TextFile } from './read-documents.ts';
import { evaluationReport } from './report/evaluation-report.ts';
import { isToolForm, toolReport } from './report/tool-forms.ts';
import type { ToolForm, ToolReport } from './report/tool-forms.ts';
import { EvaluationView } from './report/evaluation-view.ts';
import { yamlText } from './report/yaml-text.ts';

/** Functions that produce the output formats of a result other than JSON and YAML: readable text, and a report for tools. */
export interface OtherForms {
  readonly text: () => string;
  readonly tools: () => ToolReport;
}

/** Prints a result in the requested form, in which nothing commands a terminal or a CI system. */
export function print(form: OutputForm, value: unknown, text: () => string): void;
export function print(form: OutputForm | ToolForm, value: unknown, forms: OtherForms): void;
export function print(form: OutputForm | ToolForm, value: unknown, forms: OtherForms | (() => string)): void {
  const { text, tools } = typeof forms === 'function' ? { text: forms, tools: undefined } : forms;
  if (isToolForm(form)) {
    if (tools === undefined) throw new Error(`nothing was made to be told as ${form}`);
    process.stdout.write(toolReport(form, tools()));
    return;
  }
  const written = form === 'text' ? shownText(text()) : form === 'json' ? `${jsonText(value)}\n` : yamlText(value);
  process.stdout.write(written);
}

/** Prints an evaluation in the requested form. */
export function printEvaluation({ output, ...shown }: EvaluateCommand, outcome: EvaluationOutcome, files: readonly TextFile[]): void {
  if (output === 'json' || output === 'yaml') return print(output, outcome, () => '');
  process.stdout.write(evaluationReport(output, outcome, new EvaluationView(files, shown)));
}

/** Prints a sentence to standard error. */
export function reportOnStderr(problem: string): void {
  process.stderr.write(`${shownText(`assay: ${problem}`)}\n`);
}
