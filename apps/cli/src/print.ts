import { stringify } from 'yaml';
import { shownText } from '#report-forms';
import type { EvaluationOutcome } from './evaluate.ts';
import type { EvaluateCommand, OutputForm } from './commands.ts';
import type { TextFile } from './read-documents.ts';
import { evaluationReport } from './report/evaluation-report.ts';
import { isToolForm, toolReport } from './report/tool-forms.ts';
import type { ToolForm, ToolReport } from './report/tool-forms.ts';
import { EvaluationView } from './report/evaluation-view.ts';

/** The form of YAML. Readers in Go take `yes` and `on` for booleans unless they are quoted. */
export const YAML_FORM = { lineWidth: 140, compat: 'yaml-1.1' } as const;

/** Forms of a result beside its own. */
export interface OtherForms {
  readonly text: () => string;
  readonly tools: () => ToolReport;
}

/** Writes a result in the form that was asked for; the text for people without what could command a terminal. */
export function print(form: OutputForm, value: unknown, text: () => string): void;
export function print(form: OutputForm | ToolForm, value: unknown, forms: OtherForms): void;
export function print(form: OutputForm | ToolForm, value: unknown, forms: OtherForms | (() => string)): void {
  const { text, tools } = typeof forms === 'function' ? { text: forms, tools: undefined } : forms;
  if (isToolForm(form)) {
    if (tools === undefined) throw new Error(`nothing was made to be told as ${form}`);
    process.stdout.write(toolReport(form, tools()));
    return;
  }
  const written =
    form === 'text'
      ? shownText(text())
      : form === 'json'
        ? `${JSON.stringify(value, null, 2)}\n`
        : stringify(JSON.parse(JSON.stringify(value)), YAML_FORM);
  process.stdout.write(written);
}

/** Writes an evaluation in the form that was asked for. */
export function printEvaluation({ output, ...shown }: EvaluateCommand, outcome: EvaluationOutcome, files: readonly TextFile[]): void {
  if (output === 'json' || output === 'yaml') return print(output, outcome, () => '');
  process.stdout.write(evaluationReport(output, outcome, new EvaluationView(files, shown)));
}

/** Writes a sentence to standard error. */
export function reportOnStderr(problem: string): void {
  process.stderr.write(`${shownText(`assay: ${problem}`)}\n`);
}
