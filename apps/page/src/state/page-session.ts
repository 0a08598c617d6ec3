import { Text } from '@codemirror/state';
import type { CodeAction, Lens } from '#language';
import type { Minor } from '#kube';
import { startJudge } from '../judge/judge-client.ts';
import type { Evaluation } from '../judge/judge-messages.ts';
import { LanguageClient } from '../language/language-client.ts';
import type { ActedDiagnostic } from '../editor/pane-editor.ts';
import { spanOf } from '../editor/places.ts';
import type { PageState, View } from './page-state.ts';
import type { Pane, Texts } from './texts.ts';

/** After the last keystroke so long is waited before anything is judged, ms. */
const PAUSE_MS = 150;
/** Diagnostics of a pane for which what would help is asked. */
const MOST_ACTED = 30;

/** What is known of the present texts' verdict. The last result stays while the next is found out. */
export interface Judgement {
  readonly state: 'waiting' | 'judging' | 'done' | 'ended';
  readonly result?: Evaluation;
  /** Why it was ended. */
  readonly why?: string;
  readonly done?: number;
  readonly of?: number;
}

/** What a pane's editor shows beside the text. */
export interface PaneNotes {
  readonly diagnostics: readonly ActedDiagnostic[];
  readonly lenses: readonly Lens[];
}

/** A wish to see a place of a pane; each is a new object. */
export interface Jump {
  readonly pane: Pane;
  /** Line from 1, column from 1 in code points. */
  readonly line: number;
  readonly column: number;
}

/** A text after edits, which do not overlap and are counted in the text before. */
function editedText(text: string, edits: CodeAction['edits']): string {
  const doc = Text.of(text.split('\n'));
  const spans = edits.map(({ range, newText }) => ({ ...spanOf(doc, range), newText })).toSorted((a, b) => b.from - a.from);
  return spans.reduce((now, { from, to, newText }) => now.slice(0, from) + newText + now.slice(to), text);
}

/**
 * What the page knows: what is written, which minor is chosen, and what came of it. Workers judge; here it is only asked and kept. Whoever shows it subscribes.
 */
export class PageSession {
  readonly judge = startJudge();
  readonly language: LanguageClient;
  readonly #listeners = new Set<() => void>();
  readonly #notes = new Map<Pane, PaneNotes>();
  #state: PageState;
  #judgement: Judgement = { state: 'waiting' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  #stop: AbortController | undefined;
  #jump: Jump | undefined;
  #notice: string | undefined;

  constructor(state: PageState) {
    this.#state = state;
    this.language = new LanguageClient((why) => this.tell(`The language service: ${why}.`));
    this.#refresh();
  }

  get state(): PageState {
    return this.#state;
  }

  get judgement(): Judgement {
    return this.#judgement;
  }

  get jump(): Jump | undefined {
    return this.#jump;
  }

  /** Something that the user should know, until it is dismissed. */
  get notice(): string | undefined {
    return this.#notice;
  }

  notesOf(pane: Pane): PaneNotes {
    return this.#notes.get(pane) ?? { diagnostics: [], lenses: [] };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something was written. */
  setText(pane: Pane, text: string): void {
    if (this.#state.texts[pane] === text) return;
    this.#state = { ...this.#state, texts: { ...this.#state.texts, [pane]: text } };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), PAUSE_MS);
    this.#changed();
  }

  /** Puts other texts in the place of these. */
  setTexts(texts: Partial<Texts>, more: Partial<Omit<PageState, 'texts'>> = {}): void {
    this.#state = { ...this.#state, ...more, texts: { ...this.#state.texts, ...texts } };
    this.#refresh();
  }

  setMinor(minor: Minor): void {
    this.#state = { ...this.#state, minor };
    this.#refresh();
  }

  setView(view: View): void {
    this.#state = { ...this.#state, view };
    this.#changed();
  }

  /** Makes the changes of an action in a pane's text. */
  applyFix(pane: Pane, { edits }: CodeAction): void {
    this.setTexts({ [pane]: editedText(this.#state.texts[pane], edits) });
  }

  goTo(jump: Jump): void {
    this.#jump = { ...jump };
    this.#changed();
  }

  tell(notice: string | undefined): void {
    this.#notice = notice;
    this.#changed();
  }

  /** Ends what is being judged, whatever it does. */
  stop(): void {
    this.judge.end('you stopped it');
  }

  /** Judges anew. */
  judgeAgain(): void {
    this.#refresh();
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    const round = ++this.#round;
    this.language.setMinor(this.#state.minor);
    for (const [pane, text] of Object.entries(this.#state.texts)) this.language.setText(pane as Pane, text);
    void this.#evaluate(round);
    for (const pane of ['definitions', 'changed', 'policies', 'old'] as const) void this.#note(pane, round);
    this.#changed();
  }

  async #evaluate(round: number): Promise<void> {
    const { texts, minor } = this.#state;
    this.#stop?.abort();
    const { signal } = (this.#stop = new AbortController());
    const { result } = this.#judgement;
    this.#judgement = { state: 'judging', ...(result && { result }) };
    const onProgress = (done: number, of: number): void => {
      if (round !== this.#round) return;
      this.#judgement = { ...this.#judgement, done, of };
      this.#changed();
    };
    const outcome = await this.judge.ask({ kind: 'evaluate', texts, minor }, { signal, onProgress });
    if (round !== this.#round || outcome.kind === 'stopped') return;
    this.#judgement =
      outcome.kind === 'answered'
        ? { state: 'done', result: outcome.answer }
        : { state: 'ended', why: outcome.why, ...(result && { result }) };
    this.#changed();
  }

  /** Asks for what is wrong in a pane, and then for what would help with it. */
  async #note(pane: Pane, round: number): Promise<void> {
    const isCurrent = (): boolean => round === this.#round;
    if (this.#state.texts[pane] === '') {
      this.#notes.delete(pane);
      return;
    }
    const diagnostics = await this.language.ask({ kind: 'diagnostics', pane });
    const lenses = await this.language.ask({ kind: 'lenses', pane });
    if (!isCurrent() || diagnostics === undefined) return;
    this.#notes.set(pane, { diagnostics, lenses: lenses ?? [] });
    this.#changed();
    const acted: ActedDiagnostic[] = [];
    for (const [i, diagnostic] of diagnostics.entries()) {
      const actions: readonly CodeAction[] =
        (i < MOST_ACTED && (await this.language.ask({ kind: 'actions', pane, range: diagnostic.range }))) || [];
      if (!isCurrent()) return;
      acted.push({ ...diagnostic, actions });
    }
    if (acted.every(({ actions = [] }) => actions.length === 0)) return;
    this.#notes.set(pane, { diagnostics: acted, lenses: lenses ?? [] });
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
