import { compileExpression, priceParts } from '#cel';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { CompiledExpression, CostedPart } from '#cel';
import { NODE_ENGINE } from '#runner/linker';
import { compileOptions, runCase } from './expression-case.ts';
import { valueSchemaOf } from './value-schema.ts';

/** Costs of the parts of an expression and of the whole expression. */
export interface PartPrices {
  readonly root: CostedPart;
  /** Estimated cost of the whole expression, as the server computes it. */
  readonly maxCost: bigint;
  /** Cost of evaluating the expression with the default engine for rules; undefined if the expression is not evaluated. */
  readonly cost: number | undefined;
}

/** Returns the costs of the parts of the rule in an `expr` case; undefined if the rule does not compile. */
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
