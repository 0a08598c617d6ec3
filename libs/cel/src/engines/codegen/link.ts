import type { CancellationToken, JsonValue } from '#go';
import { EvaluationContext } from '../../values/evaluation-context.ts';
import type { Variables } from '../program.ts';
import type { CelValue } from '../../values/value.ts';

/** One evaluation by generated code after the other: what functions ask about it, and where the code leaves what it cost. */
export class GeneratedRun extends EvaluationContext {
  cost = 0;

  /** Begins an evaluation. */
  begin(token: CancellationToken | undefined): void {
    this.token = token;
  }
}

/**
 * Generated code. The first two arguments of a rule are `self` and `oldSelf`: raw data where the schema is a list or an object, else CEL values.
 * The first one of any other expression holds its variables. Loops poll `token`.
 * Gives undefined when it met what it does not handle: then the interpreter has the word.
 */
export type GeneratedRule = (
  self: JsonValue | CelValue | Variables | undefined,
  oldSelf: JsonValue | CelValue | undefined,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
) => CelValue | undefined;

/**
 * Makes a function of one parameter from the text of its body. A port of the host: `node:vm` has one, and in a page it is
 * `(parameter, body) => new Function(parameter, body)`. Where the host forbids code from strings, it throws an EvalError, as both of these do.
 */
export type Linker = (parameter: string, body: string) => (argument: readonly unknown[]) => unknown;

/** A linked rule, or why the host has none. */
export type LinkResult = { readonly ok: true; readonly rule: GeneratedRule } | { readonly ok: false; readonly obstacle: string };

/** Makes a rule of generated source and the constants that it names as `K`. */
export function linkRule(link: Linker, source: string, constants: readonly unknown[]): LinkResult {
  try {
    return { ok: true, rule: link('K', source)(constants) as GeneratedRule };
  } catch (thrown) {
    if (isEvalError(thrown)) return { ok: false, obstacle: FORBIDDEN };
    throw thrown;
  }
}

/** What {@link Program.obstacle} says where the host links no code, as under a Content-Security-Policy without `unsafe-eval`. */
export const FORBIDDEN = 'the host forbids code from strings';

/** By its name: a linker of another realm throws that realm's errors. */
const isEvalError = (thrown: unknown): boolean => (thrown as { readonly name?: unknown } | null)?.name === 'EvalError';
