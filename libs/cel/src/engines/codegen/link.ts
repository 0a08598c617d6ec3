/**
 * Function that makes a function of one parameter from the text of its body. The host provides it: `node:vm` has such a function, and in a
 * page it is `(parameter, body) => new Function(parameter, body)`. If the host forbids code from strings, it throws an EvalError, like both
 * of these do.
 */
export type Linker = (parameter: string, body: string) => (argument: readonly unknown[]) => unknown;

/** The result of linking, or the reason why the host does not link code. */
export type LinkResult = { readonly ok: true; readonly linked: unknown } | { readonly ok: false; readonly obstacle: string };

/**
 * Links generated source with its constants, which have the name `K`, and returns the value of the source. The value is usually a function.
 * Only the generator of the source knows its type.
 */
export function linkCode(link: Linker, source: string, constants: readonly unknown[]): LinkResult {
  try {
    return { ok: true, linked: link('K', source)(constants) };
  } catch (thrown) {
    if (isEvalError(thrown)) return { ok: false, obstacle: FORBIDDEN };
    throw thrown;
  }
}

/** Text of {@link Program.obstacle} if the host forbids linking code, for example by a Content-Security-Policy without `unsafe-eval`. */
const FORBIDDEN = 'the host forbids code from strings';

/**
 * Returns true if an error is an EvalError. It is recognized by its name, because a linker of another realm throws the error class of that
 * realm.
 */
const isEvalError = (thrown: unknown): boolean => (thrown as { readonly name?: unknown } | null)?.name === 'EvalError';
