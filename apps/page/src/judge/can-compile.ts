let known: boolean | undefined;

/** Whether code from text may run here: where the worker's content security policy forbids it, rules are interpreted, with the same verdicts and cost units. */
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
