import { compileExpression, priceParts } from '#cel';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { CompiledExpression, PricedPart } from '#cel';
import { NODE_ENGINE } from '#runner/linker';
import { compileOptions, runCase } from './expression-case.ts';
import { valueSchemaOf } from './value-schema.ts';

/** The prices of an expression's parts and of the whole expression. */
export interface PartPrices {
  readonly root: PricedPart;
  /** The whole expression's estimate, as the server has it. */
  readonly maxCost: bigint;
  /** Cost of its evaluation by the default engine of rules; undefined if it is not evaluated. */
  readonly cost: number | undefined;
}

/** Prices the parts of the rule of an `expr` case; undefined for a rule that does not compile. */
export function partPrices(testCase: JsonObject, minor: Minor): PartPrices | undefined {
  const { rule, schema: document } = testCase;
  if (typeof rule !== 'string' || rule.trim() === '' || document === undefined) return undefined;
  const schema = valueSchemaOf(document as JsonObject);
  const options = { ...compileOptions(testCase, schema, minor), expect: 'any' } as const;
  const plain = compileExpression(rule, { ...options, engine: NODE_ENGINE });
  const measured = compileExpression(rule, { ...options, engine: 'measured' });
  if (!plain.ok || !measured.ok) return undefined;
  const run = ({ program, usesOldSelf }: CompiledExpression & { ok: true }) => runCase(testCase, schema, program, usesOldSelf);
  const root = priceParts(measured.checked, options, run(measured)?.readings);
  return { root, maxCost: plain.maxCost, cost: run(plain)?.cost };
}
