import type { CodeAction, Completion, Diagnostic, Hover, Lens, Position, Range } from '#editing/language';
import type { Minor } from '#kube';
import type { Pane } from '../state/texts.ts';

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
