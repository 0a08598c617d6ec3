import type { Minor } from '#kube';
import { WatchedWorker } from '../worker/watched-worker.ts';
import type { Pane } from '../state/texts.ts';
import type { LanguageAnswers, LanguageAsk } from './language-messages.ts';

/** Longest silence of the language service, ms. */
const SILENCE_MS = 10_000;

/** The language service in its worker: it has each pane's text, and is told again when it had to be ended. */
export class LanguageClient {
  readonly #worker: WatchedWorker<LanguageAsk, LanguageAnswers>;
  readonly #texts = new Map<Pane, string>();
  #minor: Minor | undefined;

  /** @param onEnded is told why a worker was ended */
  constructor(private readonly onEnded: (why: string) => void) {
    const start = (): Worker => new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'language' });
    this.#worker = new WatchedWorker(start, SILENCE_MS, () => this.#tellAll());
  }

  /** Says what a pane's text is now. */
  setText(pane: Pane, text: string): void {
    if (this.#texts.get(pane) === text) return;
    this.#texts.set(pane, text);
    void this.#tell({ kind: 'text', pane, text });
  }

  /** Chooses the minor whose words are wanted. */
  setMinor(minor: Minor): void {
    if (this.#minor === minor) return;
    this.#minor = minor;
    void this.#tell({ kind: 'minor', minor });
  }

  /** Asks; undefined where there is no answer. */
  async ask<One extends Exclude<LanguageAsk, { kind: 'text' | 'minor' }>>(ask: One): Promise<LanguageAnswers[One['kind']] | undefined> {
    return this.#tell(ask);
  }

  async #tell<One extends LanguageAsk>(ask: One): Promise<LanguageAnswers[One['kind']] | undefined> {
    const outcome = await this.#worker.ask(ask);
    if (outcome.kind === 'ended') this.onEnded(outcome.why);
    return outcome.kind === 'answered' ? outcome.answer : undefined;
  }

  /** A new worker knows nothing yet. */
  #tellAll(): void {
    queueMicrotask(() => {
      if (this.#minor !== undefined) void this.#tell({ kind: 'minor', minor: this.#minor });
      for (const [pane, text] of this.#texts) void this.#tell({ kind: 'text', pane, text });
    });
  }
}
