/** Signal for work that the user may interrupt. Ctrl-C, SIGTERM and the end of a time limit abort it. The work then prints its results so far. */
export class Interruption {
  readonly #stop = new AbortController();
  readonly #interrupt = (): void => this.#stop.abort();
  readonly #timer: NodeJS.Timeout | undefined;

  /** Listens for signals of the system until {@link end} is called. `ms` is the time limit in ms; undefined for no limit. */
  constructor(ms?: number) {
    process.once('SIGINT', this.#interrupt).once('SIGTERM', this.#interrupt);
    this.#timer = ms === undefined ? undefined : setTimeout(this.#interrupt, ms);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isInterrupted(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Stops listening. From then on, Ctrl-C ends the process at once. */
  end(): void {
    clearTimeout(this.#timer);
    process.off('SIGINT', this.#interrupt).off('SIGTERM', this.#interrupt);
  }
}
