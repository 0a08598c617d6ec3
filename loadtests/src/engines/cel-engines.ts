import { compileExpression, declareType, environmentFor, wrapValue } from '#cel';
import type { CelValue } from '#cel';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { parsed } from '../workloads/judging.ts';
import { caseSchema } from './case-schema.ts';
import type { CelCase } from './cel-cases.ts';
import { caseList } from './cel-cases.ts';

/** An engine with a case loaded: runs it once; `cost` where the engine counts it. */
export interface LoadedCase {
  run(): { readonly verdict: boolean; readonly cost: number | undefined };
}

/** What evaluates a case: our two engines, and peers on npm. */
export type EngineName = 'compiled' | 'interpreted' | '@bufbuild/cel' | 'cel-js' | '@marcbachmann/cel-js';

/** Loads a case with a list of `size` elements into an engine. Conversions of the data are not timed. */
export const ENGINES: Readonly<Record<EngineName, (test: CelCase, size: number) => Promise<LoadedCase>>> = {
  compiled: (test, size) => Promise.resolve(assay(test, size, 'compiled')),
  interpreted: (test, size) => Promise.resolve(assay(test, size, 'interpreted')),
  '@bufbuild/cel': async (test, size) => {
    const { celEnv, parse, plan } = await import('@bufbuild/cel');
    const program = plan(celEnv(), parse(test.rule));
    return peer(test, withBigInts(caseList(test.data, size)), (self) => program({ self } as never) === true);
  },
  'cel-js': async (test, size) => {
    const { evaluate, parse } = await import('cel-js');
    const parsed = parse(test.rule);
    if (!parsed.isSuccess) throw new Error(parsed.errors.join('; '));
    return peer(test, caseList(test.data, size), (self) => evaluate(parsed.cst, { self }) === true);
  },
  '@marcbachmann/cel-js': async (test, size) => {
    const { parse } = await import('@marcbachmann/cel-js');
    const program = parse(test.rule);
    return peer(test, withBigInts(caseList(test.data, size)), (self) => program({ self }) === true);
  },
};

/** Assay, driven as the rules of an object are: raw data under its schema. */
function assay(test: CelCase, size: number, engine: 'compiled' | 'interpreted'): LoadedCase {
  const schema = caseSchema(test);
  const self = declareType(schema, false, LATEST_MINOR);
  if (!self) throw new Error('the schema has no type');
  const environment = environmentFor(LATEST_MINOR, 'stored');
  const compiled = compileExpression(test.rule, { self, oldSelf: 'plain', environment, expect: 'bool', engine: nodeEngine(engine) });
  if (!compiled.ok) throw new Error(compiled.error);
  const limits = { costLimit: Number.MAX_SAFE_INTEGER, token: undefined };
  const evaluate = (value: CelValue): { verdict: boolean; cost: number } => {
    const { value: verdict, cost } = compiled.program.evaluate({ self: value }, limits);
    return { verdict: verdict === true, cost };
  };
  const object = parsed({ list: caseList(test.data, size) });
  if (!test.perItem) {
    const value = wrapValue(object, schema);
    return { run: () => evaluate(value) };
  }
  const list = object['list'] as readonly JsonValue[];
  const run = (): ReturnType<typeof evaluate> => {
    let cost = 0;
    for (const element of list) {
      const one = evaluate(wrapValue(element, schema));
      if (!one.verdict) return one;
      cost += one.cost;
    }
    return { verdict: true, cost };
  };
  return { run };
}

function peer(test: CelCase, list: readonly unknown[], evaluate: (self: unknown) => boolean): LoadedCase {
  const self = { list };
  return { run: () => ({ verdict: test.perItem ? list.every(evaluate) : evaluate(self), cost: undefined }) };
}

/** Two of the peers take CEL integers as BigInt. */
const withBigInts = (list: readonly unknown[]): unknown[] =>
  JSON.parse(JSON.stringify(list), (_, value: unknown) => (typeof value === 'number' ? BigInt(value) : value)) as unknown[];
