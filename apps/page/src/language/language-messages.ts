import type { CodeAction, Completion, Diagnostic, Hover, Lens, Position, Range } from '#language';
import type { Minor } from '#kube';
import type { Pane } from '../state/texts.ts';

/** What the page asks its language worker. Texts come before what is asked of them: asks are served in order. */
export type LanguageAsk =
  | { readonly kind: 'text'; readonly pane: Pane; readonly text: string }
  | { readonly kind: 'minor'; readonly minor: Minor }
  | { readonly kind: 'diagnostics'; readonly pane: Pane }
  | { readonly kind: 'lenses'; readonly pane: Pane }
  | { readonly kind: 'hover'; readonly pane: Pane; readonly position: Position }
  | { readonly kind: 'completions'; readonly pane: Pane; readonly position: Position }
  | { readonly kind: 'actions'; readonly pane: Pane; readonly range: Range };

/** What each kind of {@link LanguageAsk} is answered with. */
export interface LanguageAnswers {
  readonly text: undefined;
  readonly minor: undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly lenses: readonly Lens[];
  readonly hover: Hover | undefined;
  readonly completions: readonly Completion[];
  readonly actions: readonly CodeAction[];
}
