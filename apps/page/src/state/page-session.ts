import type { CodeAction, Lens } from '#language';
import type { Minor } from '#kube';
import { startJudge } from '../judge/judge-client.ts';
import type { Evaluation, FilesEvaluation } from '../judge/judge-messages.ts';
import { takeFiles } from '../files/take-files.ts';
import { LanguageClient } from '../language/language-client.ts';
import type { ActedDiagnostic } from '../editor/acted-diagnostic.ts';
import { editedText } from './edited-text.ts';
import { FIRST_TEXTS } from './first-texts.ts';
import type { PageState, View } from './page-state.ts';
import { PANES } from './texts.ts';
import type { Pane, Texts } from './texts.ts';

/** After the last keystroke so long is waited before anything is judged, ms. */
const PAUSE_MS = 150;
/** Diagnostics of a pane for which what would help is asked. */
const MOST_ACTED = 30;

/** The progress of the verdict on the present texts. The last result stays until the next one is ready. */
export interface Judgement {
  readonly state: 'waiting' | 'judging' | 'done' | 'ended';
  readonly result?: Evaluation;
  /** The minor version that the result is about. */
  readonly minor?: Minor;
  /** Why it was ended. */
  readonly why?: string;
  readonly done?: number;
  readonly of?: number;
}

/** Words for the user until they are dismissed. */
export interface Notice {
  readonly words: string;
  /** True if something went wrong. */
  readonly isBad: boolean;
  /** Takes the last change back; absent if there is none to take back. */
  readonly undo?: () => void;
}

/** The progress of judging files in slices. */
export interface FilesJudgement {
  readonly files: readonly File[];
  readonly state: 'judging' | 'done' | 'ended';
  readonly result?: FilesEvaluation;
  readonly why?: string;
  readonly done?: number;
  readonly of?: number;
}

/** Notes that a pane's editor shows with the text. */
export interface PaneNotes {
  /** The text that they are about. */
  readonly text: string;
  readonly diagnostics: readonly ActedDiagnostic[];
  readonly lenses: readonly Lens[];
}

const NO_NOTES: PaneNotes = { text: '', diagnostics: [], lenses: [] };

/** A wish to see a place of a pane; each is a new object. */
export interface Jump {
  readonly pane: Pane;
  /** Line from 1, column from 1 in code points. */
  readonly line: number;
  readonly column: number;
}

/**
 * The state of the page: the texts, the chosen minor, and the results. Workers judge; the session only sends requests
 * and keeps answers. Views subscribe to it.
 */
export class PageSession {
  readonly judge = startJudge();
  /** Judges what is asked beside the verdict: other minors, what-if, prices taken apart. */
  readonly besides = startJudge();
  /** Judges files that are too large for editors. */
  readonly ofFiles = startJudge();
  readonly language: LanguageClient;
  /** The access key of the server that served the page; empty if the user entered none. It is kept nowhere. */
  serverKey = '';
  readonly #listeners = new Set<() => void>();
  readonly #notes = new Map<Pane, PaneNotes>();
  #state: PageState;
  #judgement: Judgement = { state: 'waiting' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  #stop: AbortController | undefined;
  #jump: Jump | undefined;
  #notice: Notice | undefined;
  /** The texts that the page itself put in: nobody loses anything with them. */
  #given: Texts;
  #files: FilesJudgement | undefined;

  constructor(state: PageState) {
    this.#state = state;
    this.#given = FIRST_TEXTS;
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
  get notice(): Notice | undefined {
    return this.#notice;
  }

  notesOf(pane: Pane): PaneNotes {
    return this.#notes.get(pane) ?? NO_NOTES;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something was written. */
  setText(pane: Pane, text: string): void {
    if (this.#state.texts[pane] === text) return;
    this.#endUndo();
    this.#state = { ...this.#state, texts: { ...this.#state.texts, [pane]: text } };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), PAUSE_MS);
    this.#changed();
  }

  /** Puts other texts in the place of these. */
  setTexts(texts: Partial<Texts>, more: Partial<Omit<PageState, 'texts'>> = {}): void {
    this.#endUndo();
    this.#state = { ...this.#state, ...more, texts: { ...this.#state.texts, ...texts } };
    this.#refresh();
  }

  /** Puts texts of the page in the place of what is written. It asks first if somebody wrote that; false if the answer is no. */
  give(texts: Partial<Texts>, question: string, more: Partial<Omit<PageState, 'texts'>> = {}): boolean {
    if (this.#losesOwn(texts) && !confirm(question)) return false;
    this.#given = { ...this.#given, ...texts };
    this.setTexts(texts, more);
    return true;
  }

  /** Puts other texts in the place of these, and offers to take that back. */
  replace(words: string, texts: Partial<Texts>, more: Partial<Omit<PageState, 'texts'>> = {}): void {
    const before = this.#state;
    const undo = (): void => {
      this.setTexts(before.texts, { task: undefined, benchmark: undefined, ...before, view: this.#state.view });
    };
    this.setTexts(texts, more);
    this.#notice = { words, isBad: false, undo };
    this.#changed();
  }

  /** Ends the offer to take a change back: that would take back what was written since, too. */
  #endUndo(): void {
    if (this.#notice?.undo) this.#notice = undefined;
  }

  /** Returns whether new texts take the place of something that the page did not put there. */
  #losesOwn(texts: Partial<Texts>): boolean {
    return PANES.some((pane) => {
      const now = this.#state.texts[pane];
      return now.trim() !== '' && texts[pane] !== undefined && texts[pane] !== now && now !== this.#given[pane];
    });
  }

  setMinor(minor: Minor): void {
    this.#state = { ...this.#state, minor };
    this.#refresh();
  }

  setView(view: View): void {
    this.#state = { ...this.#state, view };
    this.#changed();
  }

  /** Makes the changes of an action in a pane's text, where that is still the text that the action is for. */
  applyFix(pane: Pane, { edits }: CodeAction): void {
    if (this.notesOf(pane).text !== this.#state.texts[pane]) return;
    this.setTexts({ [pane]: editedText(this.#state.texts[pane], edits) });
  }

  goTo(jump: Jump): void {
    this.#jump = { ...jump };
    this.#changed();
  }

  /** Changes what the tab *Benchmark* studies. */
  setBenchmark(benchmark: PageState['benchmark']): void {
    this.#state = { ...this.#state, benchmark: { ...this.#state.benchmark, ...benchmark } };
    this.#changed();
  }

  /** Tells of something that went wrong; undefined dismisses what was told. */
  tell(words: string | undefined): void {
    this.#notice = words === undefined ? undefined : { words, isBad: true };
    this.#changed();
  }

  /** Files that are too large for editors, and what came of them. */
  get files(): FilesJudgement | undefined {
    return this.#files;
  }

  /** Takes files that were dropped or opened. */
  async open(files: readonly File[]): Promise<void> {
    const taken = await takeFiles(files);
    if (taken.kind === 'unreadable') return this.tell(taken.why);
    if (taken.kind === 'texts') {
      this.give(taken.texts, 'Replace what you wrote with these files?', { view: 'verdict' });
      return;
    }
    await this.judgeFiles(taken.files);
  }

  /** Judges files that are too large for editors, or puts them aside where none are given. */
  async judgeFiles(files: readonly File[]): Promise<void> {
    this.ofFiles.end('other files came');
    const own: FilesJudgement = { files, state: 'judging' };
    const show = (judgement: FilesJudgement | undefined): void => {
      this.#files = judgement;
      this.#changed();
    };
    if (files.length === 0) return show(undefined);
    show(own);
    const { texts, minor } = this.#state;
    const onProgress = (done: number, of: number): void => show({ ...own, done, of });
    const outcome = await this.ofFiles.ask({ kind: 'evaluate-files', texts, files, minor }, { onProgress });
    if (this.#files?.files !== files) return;
    if (outcome.kind === 'answered') show({ ...own, state: 'done', result: outcome.answer });
    else show({ ...own, state: 'ended', why: outcome.kind === 'ended' ? outcome.why : 'it was stopped' });
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
    const { result, minor: ofResult = minor } = this.#judgement;
    const last = result && { result, minor: ofResult };
    this.#judgement = { state: 'judging', ...last };
    const onProgress = (done: number, of: number): void => {
      if (round !== this.#round) return;
      this.#judgement = { ...this.#judgement, done, of };
      this.#changed();
    };
    const outcome = await this.judge.ask({ kind: 'evaluate', texts, minor }, { signal, onProgress });
    if (round !== this.#round || outcome.kind === 'stopped') return;
    this.#judgement =
      outcome.kind === 'answered' ? { state: 'done', result: outcome.answer, minor } : { state: 'ended', why: outcome.why, ...last };
    this.#changed();
  }

  /** Asks for what is wrong in a pane, and then for what would help with it. */
  async #note(pane: Pane, round: number): Promise<void> {
    const isCurrent = (): boolean => round === this.#round;
    const text = this.#state.texts[pane];
    if (text === '') {
      this.#notes.delete(pane);
      return;
    }
    const diagnostics = await this.language.ask({ kind: 'diagnostics', pane });
    const lenses = await this.language.ask({ kind: 'lenses', pane });
    if (!isCurrent() || diagnostics === undefined) return;
    this.#notes.set(pane, { text, diagnostics, lenses: lenses ?? [] });
    this.#changed();
    const acted: ActedDiagnostic[] = [];
    for (const [i, diagnostic] of diagnostics.entries()) {
      const actions: readonly CodeAction[] =
        (i < MOST_ACTED && (await this.language.ask({ kind: 'actions', pane, range: diagnostic.range }))) || [];
      if (!isCurrent()) return;
      acted.push({ ...diagnostic, actions });
    }
    if (acted.every(({ actions = [] }) => actions.length === 0)) return;
    this.#notes.set(pane, { text, diagnostics: acted, lenses: lenses ?? [] });
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
