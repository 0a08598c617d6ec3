import type { Diagnostic } from '#language';

/** The parts of a publisher. */
export interface Publishing {
  /** Judges a text, step by step. */
  readonly steps: (uri: string) => Generator<void, readonly Diagnostic[]>;
  /** Returns the advice for texts in which nobody types at the moment. */
  readonly advice: (uri: string) => readonly Diagnostic[];
  /** Sends what was found; it is done when the client has taken it. */
  readonly publish: (uri: string, found: readonly Diagnostic[]) => Promise<void>;
  /** The texts that are open. */
  readonly all: () => readonly string[];
  readonly failed: (error: unknown) => void;
}

/** The pause in typing, in ms, after which the text is judged; and the pause after which all texts are judged, with advice. */
const QUIET_MS = 25;
const OTHERS_QUIET_MS = 300;

/**
 * Publishes diagnostics of changed texts, one text at a time. Between two steps the process does other work, so that a keystroke ends the
 * judging of an outdated text. While a client does not take what was sent, nothing more is made for it.
 */
export class Publisher {
  readonly #publishing: Publishing;
  /** Texts to judge. */
  readonly #waiting = new Set<string>();
  /** The text that changed last. */
  #written: string | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #othersQuiet: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStopped = false;
  /** True if nobody typed for a while. */
  #isQuiet = false;
  #turn = 0;

  constructor(publishing: Publishing) {
    this.#publishing = publishing;
  }

  /** Says that a text changed, or, without one, that all may be judged otherwise. */
  changed(uri?: string): void {
    this.#turn++;
    this.#isQuiet = false;
    if (uri !== undefined) {
      this.#waiting.add(uri);
      this.#written = uri;
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(() => void this.#run(), QUIET_MS);
    }
    clearTimeout(this.#othersQuiet);
    this.#othersQuiet = setTimeout(
      () => {
        this.#isQuiet = true;
        for (const open of this.#publishing.all()) this.#waiting.add(open);
        void this.#run();
      },
      uri === undefined ? 0 : OTHERS_QUIET_MS,
    );
  }

  /** Says that a text is closed: its diagnostics go. */
  closed(uri: string): void {
    this.#waiting.delete(uri);
    this.#publishing.publish(uri, []).catch(this.#publishing.failed);
    this.changed();
  }

  /** Judges nothing more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#othersQuiet);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let uri = this.#next(); uri !== undefined; uri = this.#next()) {
        const found = await this.#judge(uri);
        if (found === undefined) {
          // A keystroke came between.
          await pause(QUIET_MS);
          continue;
        }
        this.#waiting.delete(uri);
        await this.#publishing.publish(uri, this.#isQuiet ? [...found, ...this.#publishing.advice(uri)] : found);
      }
    } catch (error) {
      this.#waiting.clear();
      this.#publishing.failed(error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Returns the text that is judged next: the edited one, then the others. */
  #next(): string | undefined {
    if (this.#isStopped) return undefined;
    const [first] = this.#waiting;
    return this.#written !== undefined && this.#waiting.has(this.#written) ? this.#written : first;
  }

  /** Undefined where the texts changed meanwhile. */
  async #judge(uri: string): Promise<readonly Diagnostic[] | undefined> {
    const turn = this.#turn;
    const steps = this.#publishing.steps(uri);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await pause(0);
      if (turn !== this.#turn || this.#isStopped) return undefined;
    }
  }
}

/** Lets the process do what else there is to do: what came from the client meanwhile. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
