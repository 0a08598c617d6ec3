import { jsonText, shownText, shownInLine } from '#report';
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

/** Intervals in ms at which progress is written to a terminal and to a log. */
const INTERVAL_MS = { terminal: 200, log: 10_000 };

/**
 * Progress display on stderr for long work. On a terminal it is one line that changes; if stderr is not a terminal, a new line is written
 * at intervals.
 */
export class ProgressLine {
  readonly #terminal = process.stderr.isTTY;
  #shownAt = performance.now();
  #shown = false;
  readonly #intervalMs: number;

  /**
   * Creates a progress display.
   *
   * @param logMs interval in ms at which progress is written if stderr is not a terminal
   */
  constructor(logMs = INTERVAL_MS.log) {
    this.#intervalMs = this.#terminal ? INTERVAL_MS.terminal : logMs;
  }

  /**
   * Writes the progress if the interval has passed since it was last written.
   *
   * @param text called only if progress is written; returns the text
   */
  report(text: () => string): void {
    const now = performance.now();
    if (now - this.#shownAt < this.#intervalMs) return;
    this.#shownAt = now;
    this.#shown = true;
    process.stderr.write(this.#terminal ? `\r\u001b[K${shownInLine(text())}` : `assay: ${shownInLine(text())}\n`);
  }

  /** Removes the progress line from the terminal. */
  end(): void {
    if (this.#shown && this.#terminal) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}

/**
 * Timing of a progress bar in ms: the interval between updates, and the time before it first appears, because short work needs no bar.
 * `width` is in characters.
 */
const BAR = { intervalMs: 100, afterMs: 1000, width: 30 } as const;

/** Progress bar on stderr for work whose steps are counted. If stderr is not a terminal, nothing is shown. */
export class ProgressBar {
  readonly #what: string;
  readonly #total: number | undefined;
  readonly #began = performance.now();
  #drawn = 0;
  #steps = 0;

  /**
   * Creates a progress bar.
   *
   * @param what name of the things that are counted, such as `files read`
   * @param total number of steps; if it is undefined, only the count is shown, without a bar
   */
  constructor(what: string, total?: number) {
    this.#what = what;
    this.#total = total;
  }

  /** Counts steps, and redraws the bar if the interval has passed. */
  step(count = 1): void {
    this.#steps += count;
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#began < BAR.afterMs || now - this.#drawn < BAR.intervalMs) return;
    this.#drawn = now;
    process.stderr.write(`\r\u001b[K${progressText(this.#steps, this.#what, this.#total)}`);
  }

  /** Removes the bar from the terminal. */
  end(): void {
    if (this.#drawn > 0) process.stderr.write('\r\u001b[K');
    this.#drawn = 0;
  }
}

/**
 * Returns the text of a progress bar: `[=====> ] 1200 of 5000 objects judged`. Without a total, returns only the count: `1200 objects
 * judged`.
 */
export function progressText(steps: number, what: string, total: number | undefined): string {
  if (total === undefined || total === 0) return `${steps} ${what}`;
  const done = Math.min(BAR.width, Math.floor((BAR.width * steps) / total));
  return `[${'='.repeat(done)}${' '.repeat(BAR.width - done)}] ${steps} of ${total} ${what}`;
}
