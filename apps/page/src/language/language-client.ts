import type { CodeAction, Completion, Diagnostic, Hover, Lens, Position, Range } from '#editing/language';
import type { Minor } from '#kube';
import type { Pane } from '../state/texts.ts';
import { WatchedWorker } from '../worker/watched-worker.ts';

/** Longest time in ms without a message from the language service. After this time, the page ends the worker of the service. */
const SILENCE_MS = 10_000;

/**
 * Client of the language service, which runs in a worker. The worker stores the text of each text panel of the page. If a worker ends, the
 * client sends all texts to the new worker.
 */
export class LanguageClient {
  readonly #worker: WatchedWorker<LanguageAsk, LanguageAnswers>;
  readonly #texts = new Map<Pane, string>();
  #minor: Minor | undefined;

  readonly #onEnded: (why: string) => void;

  /** @param onEnded called with the reason when a worker was ended */
  constructor(onEnded: (why: string) => void) {
    this.#onEnded = onEnded;

    const start = (): Worker => new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'language' });
    this.#worker = new WatchedWorker(start, SILENCE_MS, () => this.#tellAll());
  }

  /** Sends the current text of a pane to the language service. */
  setText(pane: Pane, text: string): void {
    if (this.#texts.get(pane) === text) return;
    this.#texts.set(pane, text);
    void this.#tell({ kind: 'text', pane, text });
  }

  /** Sets the minor version for which the language service answers. */
  setMinor(minor: Minor): void {
    if (this.#minor === minor) return;
    this.#minor = minor;
    void this.#tell({ kind: 'minor', minor });
  }

  /** Sends a request to the language service. Returns undefined if the request was stopped or the worker was ended before it answered. */
  async ask<One extends Exclude<LanguageAsk, { kind: 'text' | 'minor' }>>(ask: One): Promise<LanguageAnswers[One['kind']] | undefined> {
    return this.#tell(ask);
  }

  async #tell<One extends LanguageAsk>(ask: One): Promise<LanguageAnswers[One['kind']] | undefined> {
    const outcome = await this.#worker.ask(ask);
    if (outcome.kind === 'ended') this.#onEnded(outcome.why);
    return outcome.kind === 'answered' ? outcome.answer : undefined;
  }

  /** Sends the minor version and all texts to a new worker, which has no data yet. */
  #tellAll(): void {
    queueMicrotask(() => {
      if (this.#minor !== undefined) void this.#tell({ kind: 'minor', minor: this.#minor });
      for (const [pane, text] of this.#texts) void this.#tell({ kind: 'text', pane, text });
    });
  }
}

/**
 * The requests of the page to its language worker. The worker handles them in order, so a text arrives before the requests that refer to
 * the text.
 */
export type LanguageAsk =
  | { readonly kind: 'text'; readonly pane: Pane; readonly text: string }
  | { readonly kind: 'minor'; readonly minor: Minor }
  | { readonly kind: 'diagnostics'; readonly pane: Pane }
  | { readonly kind: 'lenses'; readonly pane: Pane }
  | { readonly kind: 'hover'; readonly pane: Pane; readonly position: Position }
  | { readonly kind: 'completions'; readonly pane: Pane; readonly position: Position }
  | { readonly kind: 'actions'; readonly pane: Pane; readonly range: Range };

/** Answers of the language worker to the page, by the kind of the request ({@link LanguageAsk}). */
export interface LanguageAnswers {
  readonly text: undefined;
  readonly minor: undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly lenses: readonly Lens[];
  readonly hover: Hover | undefined;
  readonly completions: readonly Completion[];
  readonly actions: readonly CodeAction[];
}
