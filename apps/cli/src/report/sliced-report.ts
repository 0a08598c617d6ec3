import { jsonText, shownText } from '#report';
import type { EvaluationForm } from '../commands.ts';
import type { EvaluationOutcome } from '../evaluate.ts';
import { casesOf, problemsOf } from './evaluation-report.ts';
import { closingLines, itemLines, openingLines } from './evaluation-text.ts';
import type { LeftObjects } from './evaluation-text.ts';
import { rowsOf, tableOf } from './evaluation-table.ts';
import type { EvaluationView } from './evaluation-view.ts';
import { PROBLEM_RULES } from './problem-rules.ts';
import { toolReport } from './tool-forms.ts';
import type { ToolForm } from './tool-forms.ts';
import { yamlText } from './yaml-text.ts';

/** Report that is written slice by slice while an evaluation runs. Its text is equal to the text of a report that is written at once. */
export interface SlicedReport {
  /** Writes the part before the first object: the definitions. */
  open(definitions: EvaluationOutcome['definitions'], view: EvaluationView): void;
  /** Writes the objects of one slice of files. */
  items(items: EvaluationOutcome['items'], view: EvaluationView): void;
  /** Writes the summary (counts of outcomes) after the last slice. */
  close(counts: Pick<EvaluationOutcome, 'summary' | 'skipped'>, view: EvaluationView): void;
}

/**
 * Returns a writer that passes a report in the given output format to `write`, slice by slice during an evaluation. Formats whose text
 * begins with counts are written at the end. Until then, the writer keeps only the facts of each object that the report needs.
 */
export function slicedReport(form: EvaluationForm, write: (text: string) => void): SlicedReport {
  switch (form) {
    case 'text':
      return new SlicedText(write);
    case 'json':
      return new SlicedJson(write);
    case 'yaml':
      return new SlicedYaml(write);
    case 'table':
      return new SlicedTable(write);
    case 'unix':
    case 'github':
      return new SlicedLines(form, write);
    case 'junit':
    case 'sarif':
      return new GatheredProblems(form, write);
  }
}

const NOTHING = { definitions: [], items: [] } as const;

class SlicedText implements SlicedReport {
  readonly #write: (lines: readonly string[]) => void;
  readonly #left: LeftObjects = new Map();
  #definitions: EvaluationOutcome['definitions'] = [];

  constructor(write: (text: string) => void) {
    this.#write = (lines) => {
      if (lines.length > 0) write(`${lines.join('\n')}\n`);
    };
  }

  open(definitions: EvaluationOutcome['definitions'], view: EvaluationView): void {
    this.#definitions = definitions;
    this.#write(openingLines({ ...NOTHING, definitions }, view));
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): void {
    this.#write(itemLines({ definitions: this.#definitions, items }, view, this.#left));
  }

  close(counts: Pick<EvaluationOutcome, 'summary' | 'skipped'>, view: EvaluationView): void {
    this.#write(closingLines({ definitions: this.#definitions, ...counts }, view, this.#left));
  }
}

/** Report with one line per finding. */
class SlicedLines implements SlicedReport {
  readonly #form: ToolForm;
  readonly #write: (text: string) => void;

  constructor(form: ToolForm, write: (text: string) => void) {
    this.#form = form;
    this.#write = write;
  }

  open(definitions: EvaluationOutcome['definitions'], view: EvaluationView): void {
    this.#report({ ...NOTHING, definitions }, view);
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): void {
    this.#report({ ...NOTHING, items }, view);
  }

  close(): void {}

  #report(part: Pick<EvaluationOutcome, 'definitions' | 'items'>, view: EvaluationView): void {
    this.#write(toolReport(this.#form, { rules: PROBLEM_RULES, problems: problemsOf(part, view), cases: [] }));
  }
}

/** Report that collects findings and one test case per object. It keeps neither the objects nor the files in memory. */
class GatheredProblems implements SlicedReport {
  readonly #form: 'junit' | 'sarif';
  readonly #write: (text: string) => void;
  readonly #problems: ReturnType<typeof problemsOf> = [];
  readonly #cases: ReturnType<typeof casesOf> = [];

  constructor(form: 'junit' | 'sarif', write: (text: string) => void) {
    this.#form = form;
    this.#write = write;
  }

  open(definitions: EvaluationOutcome['definitions'], view: EvaluationView): void {
    this.#gather({ ...NOTHING, definitions }, view);
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): void {
    this.#gather({ ...NOTHING, items }, view);
  }

  close(): void {
    this.#write(toolReport(this.#form, { rules: PROBLEM_RULES, problems: this.#problems, cases: this.#cases }));
  }

  #gather(part: Pick<EvaluationOutcome, 'definitions' | 'items'>, view: EvaluationView): void {
    if (this.#form === 'junit') this.#cases.push(...casesOf(part, view));
    // Lines of files would keep their texts.
    else for (const { finding, file, about, rule } of problemsOf(part, view)) this.#problems.push({ finding, file, about, rule });
  }
}

/** Report as a table. Rows are collected first, because the widest cell determines the width of a column. */
class SlicedTable implements SlicedReport {
  readonly #write: (text: string) => void;
  readonly #rows: (readonly string[])[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  open(definitions: EvaluationOutcome['definitions'], view: EvaluationView): void {
    this.#rows.push(...rowsOf({ ...NOTHING, definitions }, view));
  }

  items(items: EvaluationOutcome['items'], view: EvaluationView): void {
    this.#rows.push(...rowsOf({ ...NOTHING, items }, view));
  }

  close(): void {
    this.#write(shownText(tableOf(this.#rows)));
  }
}

class SlicedJson implements SlicedReport {
  readonly #write: (text: string) => void;
  #count = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  open(definitions: EvaluationOutcome['definitions']): void {
    this.#write(`{\n  "definitions": ${indented(definitions, 2)},\n  "items": [`);
  }

  items(items: EvaluationOutcome['items']): void {
    for (const item of items) this.#write(`${this.#count++ === 0 ? '' : ','}\n    ${indented(item, 4)}`);
  }

  close({ summary, skipped }: Pick<EvaluationOutcome, 'summary' | 'skipped'>): void {
    this.#write(`${this.#count === 0 ? '' : '\n  '}],\n  "summary": ${indented(summary, 2)},\n  "skipped": ${skipped}\n}\n`);
  }
}

/** Returns a value as JSON for insertion into a text that is indented by `spaces` spaces. */
const indented = (value: unknown, spaces: number): string => jsonText(value).replaceAll('\n', `\n${' '.repeat(spaces)}`);

class SlicedYaml implements SlicedReport {
  readonly #write: (text: string) => void;
  #count = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  open(definitions: EvaluationOutcome['definitions']): void {
    this.#write(yamlText({ definitions }));
  }

  items(items: EvaluationOutcome['items']): void {
    for (const item of items) {
      const text = yamlText({ items: [item] });
      this.#write(this.#count++ === 0 ? text : text.slice(text.indexOf('\n') + 1));
    }
  }

  close({ summary, skipped }: Pick<EvaluationOutcome, 'summary' | 'skipped'>): void {
    this.#write(`${this.#count === 0 ? yamlText({ items: [] }) : ''}${yamlText({ summary, skipped })}`);
  }
}
