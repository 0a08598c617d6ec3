import { compileFunction } from 'node:vm';
import type { JsonValue } from '#go';
import type { CelValue } from '../../values/value.ts';

/** Where generated code leaves what an evaluation cost. */
export interface CostCell {
  cost: number;
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
  cell: CostCell,
) => CelValue | undefined;

/** Makes a function of generated source. `node:vm` rather than `Function`, so that a host can forbid code from strings elsewhere. */
export function link(source: string, constants: readonly unknown[]): GeneratedRule {
  const make = compileFunction(source, ['K']) as (K: readonly unknown[]) => GeneratedRule;
  return make(constants);
}
