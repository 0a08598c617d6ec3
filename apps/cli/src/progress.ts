import { shownInLine } from '#report-forms';

/** Intervals at which progress is written, ms: on a terminal, and into a log. */
const INTERVAL_MS = { terminal: 200, log: 10_000 };

/** Tells on stderr how far long work has come: in one line that changes on a terminal, elsewhere in a line now and then. */
export class ProgressLine {
  readonly #terminal = process.stderr.isTTY;
  #shownAt = performance.now();
  #shown = false;
  readonly #intervalMs: number;

  /** @param logMs interval at which progress is written into a log, ms */
  constructor(logMs = INTERVAL_MS.log) {
    this.#intervalMs = this.#terminal ? INTERVAL_MS.terminal : logMs;
  }

  /** @param text is called only when progress is written */
  report(text: () => string): void {
    const now = performance.now();
    if (now - this.#shownAt < this.#intervalMs) return;
    this.#shownAt = now;
    this.#shown = true;
    process.stderr.write(this.#terminal ? `\r\u001b[K${shownInLine(text())}` : `assay: ${shownInLine(text())}\n`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#shown && this.#terminal) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}

/** The period of a bar, and the time before the first one, ms: short work needs none. */
const BAR = { intervalMs: 100, afterMs: 1000, width: 30 } as const;

/** A bar on stderr for work whose steps are counted; nothing where stderr is no terminal. */
export class ProgressBar {
  readonly #what: string;
  readonly #total: number | undefined;
  readonly #began = performance.now();
  #drawn = 0;
  #steps = 0;

  /**
   * @param what what is counted, such as `files read`
   * @param total how many steps there are, where that is known: then there is a bar, else only the count
   */
  constructor(what: string, total?: number) {
    this.#what = what;
    this.#total = total;
  }

  /** Counts steps, and draws where it is time to. */
  step(count = 1): void {
    this.#steps += count;
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#began < BAR.afterMs || now - this.#drawn < BAR.intervalMs) return;
    this.#drawn = now;
    process.stderr.write(`\r\u001b[K${progressText(this.#steps, this.#what, this.#total)}`);
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#drawn > 0) process.stderr.write('\r\u001b[K');
    this.#drawn = 0;
  }
}

/** Returns the text of a bar: `[=====>    ] 1200 of 5000 objects judged`. */
export function progressText(steps: number, what: string, total: number | undefined): string {
  if (total === undefined || total === 0) return `${steps} ${what}`;
  const done = Math.min(BAR.width, Math.floor((BAR.width * steps) / total));
  return `[${'='.repeat(done)}${' '.repeat(BAR.width - done)}] ${steps} of ${total} ${what}`;
}
