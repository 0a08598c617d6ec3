import type { CodeAction, Diagnostic } from '#editing/language';

/** Pattern for the titles of actions that set bounds. */
const BOUND = /^Set (?:maxItems|maxLength|maxProperties): /;

/** Returns true if an action sets bounds, such as `maxItems`. */
export const setsBounds = ({ title }: Pick<CodeAction, 'title'>): boolean => BOUND.test(title);

/**
 * Returns the actions that the page offers for a diagnostic. Of several actions that set bounds, this is only the first, whose
 * bounds all other places suggest, too. All tabs of the page then suggest the same bounds.
 */
export function offeredActions(actions: readonly CodeAction[]): readonly CodeAction[] {
  const first = actions.find(setsBounds);
  return actions.filter((action) => action === first || !setsBounds(action));
}

/** Diagnostic with the code actions that would fix it. */
export interface ActedDiagnostic extends Diagnostic {
  readonly actions?: readonly CodeAction[];
}

type Edits = CodeAction['edits'];

/** Returns the text with the edits applied. The edits must not overlap, and their positions refer to the original text. */
export function editedText(text: string, edits: Edits): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsetOf = ({ line, character }: Edits[number]['range']['start']): number => {
    const start = starts[line];
    if (start === undefined) return text.length;
    const end = starts[line + 1] === undefined ? text.length : (starts[line + 1] as number) - 1;
    return Math.min(start + character, end);
  };
  return edits
    .map(({ range, newText }) => ({ from: offsetOf(range.start), to: offsetOf(range.end), newText }))
    .toSorted((a, b) => b.from - a.from)
    .reduce((now, { from, to, newText }) => now.slice(0, from) + newText + now.slice(to), text);
}
