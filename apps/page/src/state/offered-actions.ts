import type { CodeAction } from '#editing/language';

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
