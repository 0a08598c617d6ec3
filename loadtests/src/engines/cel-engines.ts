import { compileExpression, declareType, environmentFor, wrapValue } from '#cel';
import type { CelValue } from '#cel';
import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
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
  const list = read(caseList(test.data, size));
  if (!test.perItem) {
    const value = wrapValue(read({ list: caseList(test.data, size) }), schema);
    return { run: () => evaluate(value) };
  }
  return { run: () => sum(list as unknown[], (element) => evaluate(wrapValue(element as never, schema))) };
}

function sum(list: readonly unknown[], one: (element: unknown) => { verdict: boolean; cost: number }): { verdict: boolean; cost: number } {
  let cost = 0;
  for (const element of list) {
    const result = one(element);
    if (!result.verdict) return { verdict: false, cost };
    cost += result.cost;
  }
  return { verdict: true, cost };
}

function peer(test: CelCase, list: readonly unknown[], evaluate: (self: unknown) => boolean): LoadedCase {
  const self = { list };
  return { run: () => ({ verdict: test.perItem ? list.every(evaluate) : evaluate(self), cost: undefined }) };
}

/** Two of the peers take CEL integers as BigInt. */
function withBigInts(list: readonly unknown[]): unknown[] {
  return list.map((value) => {
    if (typeof value === 'number') return BigInt(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, typeof member === 'number' ? BigInt(member) : (member as unknown)]),
    );
  });
}

function read(value: unknown): Parameters<typeof wrapValue>[0] {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}
