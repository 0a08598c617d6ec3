import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic as Mark } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CodeAction, Lens, Range } from '#editing/language';
import type { LanguageClient } from '../language/language-client.ts';
import { PANE_WORDS } from '../state/texts.ts';
import type { Pane } from '../state/texts.ts';
import type { ActedDiagnostic } from './acted-diagnostic.ts';
import { askLanguage } from './ask-language.ts';
import { changeBetween } from './change-between.ts';
import { lensLines, showLenses } from './lens-lines.ts';
import { spanOf } from './places.ts';

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--value)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.meta, tags.punctuation, tags.separator], color: 'var(--muted)' },
]);

/** Length in characters above which a text is not put into an editor. */
const MAX_EDITED_LENGTH = 5_000_000;

/** Language service and event handlers of an editor. */
export interface PaneListeners {
  readonly language: LanguageClient;
  /** Called with each new text, whether the user typed it or the page set it. */
  readonly onChange: (text: string) => void;
  /** Called with a pasted text that is too long for an editor. The editor does not insert it. */
  readonly onLargePaste: (text: string) => void;
}

/**
 * Text editor of one pane (text panel of the page into which the user writes documents). The page owns the text and passes diagnostics to
 * the editor.
 */
export class PaneEditor {
  readonly view: EditorView;

  constructor(pane: Pane, text: string, { language, onChange, onLargePaste }: PaneListeners) {
    this.view = new EditorView({
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          highlightSpecialChars(),
          history(),
          foldGutter(),
          drawSelection(),
          EditorState.allowMultipleSelections.of(true),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          yaml(),
          syntaxHighlighting(colours),
          lintGutter(),
          lensLines,
          askLanguage(pane, language),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': PANE_WORDS[pane], spellcheck: 'false', autocapitalize: 'off', tabindex: '0' }),
          EditorView.domEventHandlers({
            paste: (event) => {
              const pasted = event.clipboardData?.getData('text/plain') ?? '';
              if (pasted.length <= MAX_EDITED_LENGTH) return false;
              onLargePaste(pasted);
              event.preventDefault();
              return true;
            },
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  /**
   * Replaces the part of the editor's text that differs from a new text. Folds, marks and the selection outside of it are kept. The keys
   * for undo take back this replacement alone, also if the user typed just before.
   */
  setText(text: string): void {
    const change = changeBetween(this.view.state.doc.toString(), text);
    if (change !== undefined) this.view.dispatch({ changes: change, annotations: isolateHistory.of('full') });
  }

  showDiagnostics(diagnostics: readonly ActedDiagnostic[]): void {
    const { state } = this.view;
    const marks = diagnostics.map((diagnostic): Mark => {
      const { from, to } = spanOf(state.doc, diagnostic.range);
      const { severity, message, actions = [] } = diagnostic;
      return {
        from,
        to,
        severity: severity === 'information' ? 'info' : severity,
        message,
        actions: actions.map((action) => ({ name: action.title, apply: () => this.applyAction(action) })),
      };
    });
    this.view.dispatch(setDiagnostics(state, marks));
  }

  showLenses(lenses: readonly Lens[]): void {
    showLenses(this.view, lenses);
  }

  /** Applies the edits of an action to the text. */
  applyAction({ edits }: CodeAction): void {
    const { doc } = this.view.state;
    this.view.dispatch({
      changes: edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText })),
      userEvent: 'input.fix',
    });
    this.view.focus();
  }

  /** Moves the cursor to the start of a range and scrolls it into view. */
  goTo(range: Range): void {
    const { from } = spanOf(this.view.state.doc, range);
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    this.view.focus();
  }
}
