import { StateEffect, StateField } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { Lens } from '#editing/language';
import { lensWords } from './lens-words.ts';
import { offsetOf } from './places.ts';

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
    line.className = this.#lens.isTooDear ? 'lens lens-too-dear' : 'lens';
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
export const lensLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lenses, transaction) {
    const moved = lenses.map(transaction.changes);
    return transaction.effects.reduce((now, effect) => (effect.is(setLenses) ? effect.value : now), moved);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows the given code lenses in the editor: lines above rules with the cost of the rule. Replaces the lenses that were shown before. */
export function showLenses(view: EditorView, lenses: readonly Lens[]): void {
  const { doc } = view.state;
  const placed = lenses.map((lens) => {
    const line = doc.lineAt(offsetOf(doc, lens.range.start));
    const widget = new LensWidget(lens, Math.min(lens.range.start.character, 40));
    return Decoration.widget({ widget, block: true, side: -1 }).range(line.from);
  });
  view.dispatch({ effects: setLenses.of(Decoration.set(placed, true)) });
}
