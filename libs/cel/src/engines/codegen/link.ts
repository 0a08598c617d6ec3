/**
 * Function that creates a function of one parameter from the text of its body. The host (the calling program) provides it, for example by
 * `node:vm`, or in a browser page as `(parameter, body) => new Function(parameter, body)`. It throws an EvalError if the host forbids code
 * from strings.
 */
export type Linker = (parameter: string, body: string) => (argument: readonly unknown[]) => unknown;

/**
 * Result of {@link linkCode}, which runs generated source code: the value of the source, or the reason why the environment forbids running
 * it.
 */
export type LinkResult = { readonly ok: true; readonly linked: unknown } | { readonly ok: false; readonly obstacle: string };

/**
 * Links generated source with its constants and returns the value of the source, which is usually a function. The source refers to the
 * constants as `K`. Only the generator of the source knows the type of the value.
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
 * Returns true if a thrown value is an EvalError. Tests the name of the error, because a linker from another realm throws that realm's own
 * EvalError class.
 */
const isEvalError = (thrown: unknown): boolean => (thrown as { readonly name?: unknown } | null)?.name === 'EvalError';
