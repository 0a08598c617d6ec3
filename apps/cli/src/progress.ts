/** How often progress is told, ms: to people who watch, and to logs. */
const INTERVAL_MS = { terminal: 200, log: 10_000 };

/** Tells on stderr how far long work has come: in one line that changes on a terminal, elsewhere in a line now and then. */
export class Progress {
  readonly #terminal = process.stderr.isTTY;
  #told = performance.now();
  #shown = false;

  /** @param text is asked for only when it is told */
  tell(text: () => string): void {
    const now = performance.now();
    if (now - this.#told < (this.#terminal ? INTERVAL_MS.terminal : INTERVAL_MS.log)) return;
    this.#told = now;
    this.#shown = true;
    process.stderr.write(this.#terminal ? `\r\u001b[K${text()}` : `assay: ${text()}\n`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#shown && this.#terminal) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
