/**
 * Makes a function of one parameter from the text of its body. A port of the host: `node:vm` has one, and in a page it is
 * `(parameter, body) => new Function(parameter, body)`. Where the host forbids code from strings, it throws an EvalError, as both of these do.
 */
export type Linker = (parameter: string, body: string) => (argument: readonly unknown[]) => unknown;

/** The result of linking, or the reason why the host does not link code. */
export type LinkResult = { readonly ok: true; readonly linked: unknown } | { readonly ok: false; readonly obstacle: string };

/**
 * Links generated source with its constants, named `K`, and returns the value of the source. Its generator knows the
 * type of this function.
 */
export function linkCode(link: Linker, source: string, constants: readonly unknown[]): LinkResult {
  try {
    return { ok: true, linked: link('K', source)(constants) };
  } catch (thrown) {
    if (isEvalError(thrown)) return { ok: false, obstacle: FORBIDDEN };
    throw thrown;
  }
}

/** Text of {@link Program.obstacle} if the host links no code, as under a Content-Security-Policy without `unsafe-eval`. */
const FORBIDDEN = 'the host forbids code from strings';

/** Recognises the error by its name, because a linker of another realm throws that realm's errors. */
const isEvalError = (thrown: unknown): boolean => (thrown as { readonly name?: unknown } | null)?.name === 'EvalError';
