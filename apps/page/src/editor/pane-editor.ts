import { closeBrackets, closeBracketsKeymap, completionKeymap, autocompletion, snippet } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic as Mark } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  Decoration,
  WidgetType,
  hoverTooltip,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CodeAction, Lens, Range, Completion } from '#editing/language';
import type { LanguageClient } from '../language/language-client.ts';
import { PANE_WORDS } from '../state/texts.ts';
import type { Pane } from '../state/texts.ts';
import type { ActedDiagnostic } from '../state/code-actions.ts';
import { spanOf, offsetOf, positionOf } from './places.ts';
import type { Extension } from '@codemirror/state';
import type { DecorationSet } from '@codemirror/view';
import { EXPRESSION_COST_LIMIT } from '#kube';
import { costWords, limitText } from '#numbers';
import type { Completion as Option, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

const OPTION_TYPES: Readonly<Record<Completion['kind'], string>> = {
  field: 'property',
  variable: 'variable',
  function: 'function',
  method: 'method',
  macro: 'keyword',
  key: 'property',
  value: 'constant',
};

/**
 * Returns the editor extension that adds completion and hover texts to one pane (editor for one kind of document) of the page. The language
 * service, which runs in a worker, provides the content.
 */
function askLanguage(pane: Pane, language: LanguageClient): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { doc } = context.state;
    // If the user does not ask for completions, they appear only after a letter, a digit, `_` or a dot.
    if (!context.explicit && !/[\w.]$/.test(doc.lineAt(context.pos).text.slice(0, context.pos - doc.lineAt(context.pos).from))) return null;
    // For diagnostics, the language service gets new text after a delay. Completions need the text at once.
    language.setText(pane, doc.toString());
    const found = await language.ask({ kind: 'completions', pane, position: positionOf(doc, context.pos) });
    const first = found?.[0];
    if (found === undefined || first === undefined || context.aborted) return null;
    const { from } = spanOf(doc, first.range);
    return { from, options: found.map(optionOf), validFor: /^\w*$/ };
  };
  const hover = hoverTooltip(async (view, offset) => {
    language.setText(pane, view.state.doc.toString());
    const found = await language.ask({ kind: 'hover', pane, position: positionOf(view.state.doc, offset) });
    if (found === undefined) return null;
    const { from, to } = spanOf(view.state.doc, found.range);
    return { pos: from, end: to, above: true, create: () => ({ dom: markdownElement(found.text) }) };
  });
  return [autocompletion({ override: [complete] }), hover];
}

function optionOf({ label, kind, detail, documentation, insert, isSnippet }: Completion): Option {
  return {
    label,
    type: OPTION_TYPES[kind],
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { info: () => markdownElement(documentation) }),
    // The last tab stop is `$0` in the protocol, and an empty one in the editor.
    apply: isSnippet ? snippet(insert.replaceAll('$0', '${}')) : insert,
  };
}

/**
 * Converts the language service's Markdown (paragraphs, code blocks, `code`, **bold**) into elements. Text is never interpreted as HTML,
 * because it contains names and descriptions from definitions.
 */
function markdownElement(text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'markdown';
  for (const [i, block] of text.split(/^```.*$/m).entries()) {
    if (i % 2 === 1) element.append(elementOf('pre', block.trim()));
    else for (const paragraph of block.split(/\n{2,}/)) if (paragraph.trim() !== '') element.append(paragraphOf(paragraph.trim()));
  }
  return element;
}

function paragraphOf(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  for (const part of text.split(/(`[^`]*`|\*\*[^*]+\*\*)/)) {
    if (/^`.*`$/s.test(part)) paragraph.append(elementOf('code', part.slice(1, -1)));
    else if (/^\*\*.*\*\*$/s.test(part)) paragraph.append(elementOf('strong', part.slice(2, -2)));
    else paragraph.append(part);
  }
  return paragraph;
}

function elementOf(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

const setLenses = StateEffect.define<DecorationSet>();

/** Line above a rule that shows the rule's cost. The tooltip shows the exact figures. */
class LensWidget extends WidgetType {
  readonly #lens: Lens;
  readonly #indent: number;

  constructor(lens: Lens, indent: number) {
    super();
    this.#lens = lens;
    this.#indent = indent;
  }

  override eq(other: LensWidget): boolean {
    return other.#lens.title === this.#lens.title && other.#indent === this.#indent;
  }

  override toDOM(): HTMLElement {
    const line = document.createElement('div');
    line.className = this.#lens.isTooExpensive ? 'lens lens-too-expensive' : 'lens';
    line.textContent = lensWords(this.#lens);
    line.title = this.#lens.title;
    line.style.paddingInlineStart = `calc(${this.#indent}ch + 6px)`;
    return line;
  }
}

/**
 * Editor extension that shows the cost of each rule in a line above the rule. {@link showLenses} sets these lines. They move with the text
 * until new lines are set.
 */
const lensLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lenses, transaction) {
    const moved = lenses.map(transaction.changes);
    return transaction.effects.reduce((now, effect) => (effect.is(setLenses) ? effect.value : now), moved);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows the given code lenses in the editor: lines above rules with the cost of the rule. Replaces the lenses that were shown before. */
function showLenses(view: EditorView, lenses: readonly Lens[]): void {
  const { doc } = view.state;
  const placed = lenses.map((lens) => {
    const line = doc.lineAt(offsetOf(doc, lens.range.start));
    const widget = new LensWidget(lens, Math.min(lens.range.start.character, 40));
    return Decoration.widget({ widget, block: true, side: -1 }).range(line.from);
  });
  view.dispatch({ effects: setLenses.of(Decoration.set(placed, true)) });
}

/**
 * Returns the text of the code lens, a line that the editor shows above a rule. The text shows the rule's maximum cost as a share of the
 * limit.
 */
export function lensWords({ totalCost, isTooExpensive }: Pick<Lens, 'totalCost' | 'isTooExpensive'>): string {
  const share = limitText(BigInt(totalCost), EXPRESSION_COST_LIMIT);
  return isTooExpensive ? `↑ too expensive: ${share}` : `cost at most ${costWords(totalCost)}, ${share}`;
}

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

/** Change of a text: the characters from `from` to `to` are replaced by `insert`. Offsets are in UTF-16 code units. */
interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Returns the smallest single change that makes a text equal to another text. Returns undefined if the texts are equal. */
export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
