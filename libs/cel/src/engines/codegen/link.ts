import { compileFunction } from 'node:vm';
import type { CancellationToken, JsonValue } from '#go';
import { EvaluationContext } from '../../values/evaluation-context.ts';
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
 * A generated rule. `self` and `oldSelf` are raw data where the schema is a list or an object, else CEL values; `flag` is a cancellation
 * token's. Gives undefined when it met what it does not handle: then the interpreter has the word.
 */
export type GeneratedRule = (
  self: JsonValue | CelValue | undefined,
  oldSelf: JsonValue | CelValue | undefined,
  limit: number,
  flag: Int32Array,
  run: GeneratedRun,
) => CelValue | undefined;

/** Makes a function of generated source. `node:vm` rather than `Function`, so that a host can forbid code from strings elsewhere. */
export function link(source: string, constants: readonly unknown[]): GeneratedRule {
  const make = compileFunction(source, ['K']) as (K: readonly unknown[]) => GeneratedRule;
  return make(constants);
}
