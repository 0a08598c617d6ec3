import { jsonText, shownText } from '#report';
import { isToolForm } from './forms.ts';
import type { OutputForm, ToolForm } from './forms.ts';
import { toolReport } from './tool-report.ts';
import type { ToolReport } from './tool-report.ts';
import { yamlText } from './yaml-text.ts';

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

/** Prints a sentence to standard error. */
export function reportOnStderr(problem: string): void {
  process.stderr.write(`${shownText(`assay: ${problem}`)}\n`);
}
