let known: boolean | undefined;

/**
 * Returns true if the worker may compile code from text. If the worker's content security policy forbids this, rules are interpreted, with
 * the same verdicts and cost units.
 */
export function canCompile(): boolean {
  known ??= tryToCompile();
  return known;
}

function tryToCompile(): boolean {
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- it is found out by trying
    return typeof new Function('') === 'function';
  } catch {
    return false;
  }
}
