import type { CodeAction, Lens } from '#editing/language';
import type { Minor } from '#kube';
import { startJudge } from '../judge/judge-client.ts';
import type { Evaluation, FilesEvaluation } from '../judge/judge-client.ts';
import { takeFiles } from '../files/take-files.ts';
import { LanguageClient } from '../language/language-client.ts';
import type { ActedDiagnostic } from './code-actions.ts';
import { editedText, offeredActions } from './code-actions.ts';
import { FIRST_TEXTS } from './first-texts.ts';
import type { PageState, View } from './page-state.ts';
import { PANES } from './texts.ts';
import type { Pane, Texts } from './texts.ts';

/** Delay in ms after the last keystroke before the verdicts on the texts are computed. */
const PAUSE_MS = 150;
/** Highest number of diagnostics of a pane for which code actions are requested. */
const MAX_ACTED_ON = 30;

/** Progress of the evaluation of the current texts. The previous result is kept until the next one is ready. */
export interface Judgement {
  readonly state: 'waiting' | 'judging' | 'done' | 'ended';
  readonly result?: Evaluation;
  /** Minor version to which the result applies. */
  readonly minor?: Minor;
  /** Reason why the evaluation was ended; absent if it was not ended. */
  readonly why?: string;
  readonly done?: number;
  readonly of?: number;
}

/** Message that is shown to the user until it is dismissed. */
export interface Notice {
  readonly words: string;
  /** True if the message reports a problem. */
  readonly isBad: boolean;
  /** Reverts the most recent change; absent if there is no change to revert. */
  readonly undo?: () => void;
}

/** The progress of evaluating large files in slices. */
export interface FilesJudgement {
  readonly files: readonly File[];
  readonly state: 'judging' | 'done' | 'ended';
  readonly result?: FilesEvaluation;
  readonly why?: string;
  readonly done?: number;
  readonly of?: number;
}

/**
 * Diagnostics and code lenses that an editor of the web page shows with its text. Each pane of the page has one editor, for example for
 * definitions or for objects.
 */
export interface PaneAnnotations {
  /** Text to which the diagnostics and lenses belong. */
  readonly text: string;
  readonly diagnostics: readonly ActedDiagnostic[];
  readonly lenses: readonly Lens[];
}

const NO_NOTES: PaneAnnotations = { text: '', diagnostics: [], lenses: [] };

/**
 * Request to show a position in an editor of the page. Each request is a new object, so that an editor also moves if the same position is
 * requested again.
 */
export interface Jump {
  readonly pane: Pane;
  /** Line of the place, from 1; `column` counts from 1 in code points. */
  readonly line: number;
  readonly column: number;
}

/**
 * State of the page: the texts, the chosen minor version, and the results. Workers compute the verdicts; the session only sends requests
 * and stores answers. Views subscribe to the session.
 */
export class PageSession {
  readonly judge = startJudge();
  /** Client of a worker for requests that are independent of the verdict: other minor versions, what-if, and explained costs. */
  readonly besides = startJudge();
  /** Client of the worker that computes the verdicts on files that are too large for editors. */
  readonly ofFiles = startJudge();
  readonly language: LanguageClient;
  /** The access key of the server that served the page; empty if the user entered none. The page does not store the key. */
  serverKey = '';
  readonly #listeners = new Set<() => void>();
  readonly #notes = new Map<Pane, PaneAnnotations>();
  #state: PageState;
  #judgement: Judgement = { state: 'waiting' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  #stop: AbortController | undefined;
  #jump: Jump | undefined;
  #notice: Notice | undefined;
  /** Texts that the page itself inserted. They can be replaced without losing anything that the user wrote. */
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

  /** Message that is shown to the user until it is dismissed. */
  get notice(): Notice | undefined {
    return this.#notice;
  }

  notesOf(pane: Pane): PaneAnnotations {
    return this.#notes.get(pane) ?? NO_NOTES;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sets the text of a pane after the user edited it. The verdicts on the texts are computed after a short delay. */
  setText(pane: Pane, text: string): void {
    if (this.#state.texts[pane] === text) return;
    this.#endUndo();
    this.#state = { ...this.#state, texts: { ...this.#state.texts, [pane]: text } };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), PAUSE_MS);
    this.#changed();
  }

  /** Replaces the texts of panes and begins to compute their verdicts immediately. */
  setTexts(texts: Partial<Texts>, more: Partial<Omit<PageState, 'texts'>> = {}): void {
    this.#endUndo();
    this.#state = { ...this.#state, ...more, texts: { ...this.#state.texts, ...texts } };
    this.#refresh();
  }

  /**
   * Replaces the panes' texts with texts of the page. If this would replace a text that the user wrote, asks the user first. Returns false
   * if the user declines.
   */
  give(texts: Partial<Texts>, question: string, more: Partial<Omit<PageState, 'texts'>> = {}): boolean {
    if (this.#losesOwn(texts) && !confirm(question)) return false;
    this.#given = { ...this.#given, ...texts };
    this.setTexts(texts, more);
    return true;
  }

  /** Replaces the texts of panes and offers the user to revert the replacement. */
  replace(words: string, texts: Partial<Texts>, more: Partial<Omit<PageState, 'texts'>> = {}): void {
    const before = this.#state;
    const undo = (): void => {
      this.setTexts(before.texts, { task: undefined, benchmark: undefined, ...before, view: this.#state.view });
    };
    this.setTexts(texts, more);
    this.#notice = { words, isBad: false, undo };
    this.#focusChange(before.texts);
  }

  /** Shows the first changed line in its editor, and focuses this editor: the keys for undo act on the editor that has the focus. */
  #focusChange(before: Texts): void {
    const pane = PANES.find((one) => before[one] !== this.#state.texts[one]);
    if (pane !== undefined) this.#jump = { pane, line: firstChangedLine(before[pane], this.#state.texts[pane]), column: 1 };
    this.#changed();
  }

  /** Withdraws the offer to revert a change, because reverting would also discard everything written since. */
  #endUndo(): void {
    if (this.#notice?.undo) this.#notice = undefined;
  }

  /** Returns true if new texts would replace a text that the page did not insert. */
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

  /** Applies the edits of an action to a pane's text. Does nothing if the text has changed since the action was computed. */
  applyFix(pane: Pane, { edits }: CodeAction): void {
    const { texts } = this.#state;
    if (this.notesOf(pane).text !== texts[pane]) return;
    this.setTexts({ [pane]: editedText(texts[pane], edits) });
    this.#focusChange(texts);
  }

  goTo(jump: Jump): void {
    this.#jump = { ...jump };
    this.#changed();
  }

  /** Changes the rule that the tab *Benchmark* studies, the older definitions, or both. Absent properties keep their values. */
  setBenchmark(benchmark: PageState['benchmark']): void {
    this.#state = { ...this.#state, benchmark: { ...this.#state.benchmark, ...benchmark } };
    this.#changed();
  }

  /** Shows a message about a problem; undefined dismisses the current message. */
  tell(words: string | undefined): void {
    this.#notice = words === undefined ? undefined : { words, isBad: true };
    this.#changed();
  }

  /** Progress and result of the evaluation of files that are too large for editors; undefined if no such files are open. */
  get files(): FilesJudgement | undefined {
    return this.#files;
  }

  /** Reads files that the user dropped or opened. Shows them in the editors, or computes their verdicts in slices if they are too large. */
  async open(files: readonly File[]): Promise<void> {
    const taken = await takeFiles(files);
    if (taken.kind === 'unreadable') return this.tell(taken.why);
    if (taken.kind === 'texts') {
      this.give(taken.texts, 'Replace what you wrote with these files?', { view: 'verdict' });
      return;
    }
    await this.judgeFiles(taken.files);
  }

  /** Computes the verdicts on files that are too large for editors. An empty list removes the previous files. */
  async judgeFiles(files: readonly File[]): Promise<void> {
    this.ofFiles.end('you opened other files');
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

  /** Ends the current evaluation immediately. */
  stop(): void {
    this.judge.end('you stopped it');
  }

  /** Computes the verdicts on the current texts again. */
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

  /** Requests the diagnostics of a pane, and then the actions that would fix them. */
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
        (i < MAX_ACTED_ON && (await this.language.ask({ kind: 'actions', pane, range: diagnostic.range }))) || [];
      if (!isCurrent()) return;
      acted.push({ ...diagnostic, actions: offeredActions(actions) });
    }
    if (acted.every(({ actions = [] }) => actions.length === 0)) return;
    this.#notes.set(pane, { text, diagnostics: acted, lenses: lenses ?? [] });
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the number of the first line, from 1, in which two texts differ. */
function firstChangedLine(before: string, after: string): number {
  const lines = before.split('\n');
  const changed = after.split('\n').findIndex((line, i) => line !== lines[i]);
  return changed < 0 ? 1 : changed + 1;
}
