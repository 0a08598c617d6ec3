import type { Diagnostic } from '#editing/language';

/** Functions with which a publisher of diagnostics checks texts, gets advice, sends diagnostics, and lists the open texts. */
export interface Publishing {
  /** Checks a text in steps. The generator returns the diagnostics of the text. */
  readonly steps: (uri: string) => Generator<void, readonly Diagnostic[]>;
  /** Returns the advice for a text. It is called only if nobody has typed for a while. */
  readonly advice: (uri: string) => readonly Diagnostic[];
  /** Sends the diagnostics of a text. Resolves when the client has received them. */
  readonly publish: (uri: string, found: readonly Diagnostic[]) => Promise<void>;
  /** Returns the URIs of the open texts. */
  readonly all: () => readonly string[];
  readonly failed: (error: unknown) => void;
}

/**
 * Pause in typing, in ms, after which the changed text is checked. `OTHERS_QUIET_MS` is the pause after which all texts are checked, and
 * advice is added.
 */
const QUIET_MS = 25;
const OTHERS_QUIET_MS = 300;

/**
 * Publisher of diagnostics for changed texts, one text at a time. The check of a text pauses regularly, so that a keystroke can cancel the
 * check of an outdated text. New diagnostics are computed only after the client has received the previous diagnostics.
 */
export class Publisher {
  readonly #publishing: Publishing;
  /** URIs of texts whose check is still pending. */
  readonly #waiting = new Set<string>();
  /** URI of the text that changed last. */
  #written: string | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #othersQuiet: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStopped = false;
  /** True if nobody has typed for `OTHERS_QUIET_MS`. */
  #isQuiet = false;
  #turn = 0;

  constructor(publishing: Publishing) {
    this.#publishing = publishing;
  }

  /**
   * Schedules the check of a changed text. Without `uri`, all open texts are checked again, because a change, such as a new setting,
   * affects all of them.
   */
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

  /** Removes the diagnostics of a text that was closed. */
  closed(uri: string): void {
    this.#waiting.delete(uri);
    this.#publishing.publish(uri, []).catch(this.#publishing.failed);
    this.changed();
  }

  /** Stops the publisher. No text is checked after this call. */
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
          // The text changed during the evaluation, so this waits and tries again.
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

  /** Returns the URI of the text to check next. The text that changed last comes first. Returns undefined if no text is left. */
  #next(): string | undefined {
    if (this.#isStopped) return undefined;
    const [first] = this.#waiting;
    return this.#written !== undefined && this.#waiting.has(this.#written) ? this.#written : first;
  }

  /** Checks a text and returns its diagnostics; undefined if texts changed in the meantime. */
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

/** Waits for `ms` ms so that the process can handle messages that have arrived from the client. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
