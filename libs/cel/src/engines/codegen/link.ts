/**
 * Makes a function of one parameter from the text of its body. A port of the host: `node:vm` has one, and in a page it is
 * `(parameter, body) => new Function(parameter, body)`. Where the host forbids code from strings, it throws an EvalError, as both of these do.
 */
export type Linker = (parameter: string, body: string) => (argument: readonly unknown[]) => unknown;

/** What linking made, or why the host has none. */
export type LinkResult = { readonly ok: true; readonly linked: unknown } | { readonly ok: false; readonly obstacle: string };

/** Links generated source with the constants that it names as `K`, and gives what the source returns: by its generator a function of a known type. */
export function linkCode(link: Linker, source: string, constants: readonly unknown[]): LinkResult {
  try {
    return { ok: true, linked: link('K', source)(constants) };
  } catch (thrown) {
    if (isEvalError(thrown)) return { ok: false, obstacle: FORBIDDEN };
    throw thrown;
  }
}

/** What {@link Program.obstacle} says where the host links no code, as under a Content-Security-Policy without `unsafe-eval`. */
const FORBIDDEN = 'the host forbids code from strings';

/** By its name: a linker of another realm throws that realm's errors. */
const isEvalError = (thrown: unknown): boolean => (thrown as { readonly name?: unknown } | null)?.name === 'EvalError';
