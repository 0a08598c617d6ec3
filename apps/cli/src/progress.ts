import { shownInLine } from './shown-text.ts';

/** How often progress is written, ms: on a terminal, and into a log. */
const INTERVAL_MS = { terminal: 200, log: 10_000 };

/** Tells on stderr how far long work has come: in one line that changes on a terminal, elsewhere in a line now and then. */
export class ProgressLine {
  readonly #terminal = process.stderr.isTTY;
  #told = performance.now();
  #shown = false;

  /** @param text is called only when progress is written */
  tell(text: () => string): void {
    const now = performance.now();
    if (now - this.#told < (this.#terminal ? INTERVAL_MS.terminal : INTERVAL_MS.log)) return;
    this.#told = now;
    this.#shown = true;
    process.stderr.write(this.#terminal ? `\r\u001b[K${shownInLine(text())}` : `assay: ${shownInLine(text())}\n`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#shown && this.#terminal) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
