import { Ajv } from 'ajv';
import type { JsonObject } from '#go';
import { fixedText } from '#numbers';
import type { BenchTable } from './bench-table.ts';
import { fastestMicros } from './fastest.ts';
import { measureGoSteps } from '../engines/go-steps.ts';
import { quotient } from '../measure/quotient.ts';
import { compiled, judgeAccepted, timed } from '../workloads/judging.ts';
import { CORPORA, objectCases, schemaOfVersion } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';

/**
 * Returns the longest allowed time from bytes to verdict, as a multiple of the time of `JSON.parse` for the same bytes. Returns undefined
 * if there is no limit.
 */
const wantedOf = (name: string): number | undefined =>
  name === 'HTTPRoute' ? 2 : name.startsWith('NodePool') ? 2.5 : name.startsWith('list ') ? 1 : undefined;
/**
 * Longest allowed time from bytes to verdict, as a multiple of the time of `JSON.parse` and ajv together. `JSON.parse` and ajv do only a
 * part of the validation.
 */
const WANTED_BESIDE_AJV = 1.5;

/**
 * Measures the time in µs per object from bytes to verdict: with generated readers as in the product, and without them. For comparison,
 * also measures `JSON.parse` of the same bytes, ajv on the plain schema, and Go.
 */
export function benchObjects(quick: boolean): BenchTable {
  const go = quick ? 'a quick run' : measureGoSteps(['-mode', 'write', '-corpora', CORPORA, '-min', '300ms']);
  const measured = objectCases().map((test) => ({ test, ...timesOf(test, quick ? 1500 : 5000) }));
  const goMicros = (name: string): number | undefined =>
    typeof go === 'string' ? undefined : go.find((one) => one.name === name.split(' ')[0] && one.step === 'decode+validate')?.micros;
  return {
    columns: ['object', 'bytes', 'whole µs', 'exact µs', 'JSON.parse µs', 'ajv µs', 'Go µs', 'Go ÷ whole', 'definition ms cold/warm'],
    rows: measured.map(({ test: { name, bodies }, micros, coldMs, warmMs }) => [
      name,
      String(Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length)),
      ...[micros('whole'), micros('exact'), micros('parse'), micros('ajv'), goMicros(name), quotient(goMicros(name), micros('whole'))].map(
        (figure) => fixedText(figure, figure !== undefined && figure < 100 ? 1 : 0),
      ),
      `${coldMs.toFixed(0)} / ${warmMs.toFixed(0)}`,
    ]),
    wanted: measured.flatMap(({ test: { name }, micros }) => {
      const [whole, parse, ajv, most] = [micros('whole'), micros('parse'), micros('ajv'), wantedOf(name)];
      const both = parse === undefined || ajv === undefined ? undefined : parse + ajv;
      return [
        { name: `${name}: whole ÷ JSON.parse`, value: quotient(whole, parse), ...(most !== undefined && { most }) },
        { name: `${name}: whole ÷ (JSON.parse + ajv)`, value: quotient(whole, both), most: WANTED_BESIDE_AJV },
      ];
    }),
    isForInformation: true,
    notes: [
      'Fastest rounds over all bodies of a case, in turns. Whole: as the product judges, by a generated reader where that has something to say. Exact: the same bytes without generated readers. ajv checks the schema alone, on values parsed before; it knows neither defaults, pruning, list types nor rules.',
      'Machine time is no gate that fails the run.',
      typeof go === 'string'
        ? `Go: not measured, ${go}.`
        : 'Go: decode, prune, default and validation by the libraries of apiextensions-apiserver, one thread.',
    ],
  };
}

/**
 * Returns the time in µs that each kind of work takes for an object. Also returns how many ms the first compilation of its definition
 * takes, and how many ms a repeated compilation takes.
 */
function timesOf({ definition, version, bodies }: ObjectCase, budgetMs: number) {
  const cold = timed(() => compiled(definition));
  const warmMs = Math.min(...[1, 2, 3].map(() => timed(() => compiled(definition)).ms));
  const schema = ajvSchema(definition, version);
  const values = bodies.map((body) => JSON.parse(body.toString()) as unknown);
  const micros = fastestMicros(
    {
      whole: () => bodies.forEach((body) => judgeAccepted(cold.value, body, { version })),
      exact: () => bodies.forEach((body) => judgeAccepted(cold.value, body, { version, exact: true })),
      parse: () => bodies.forEach((body) => JSON.parse(body.toString()) as unknown),
      ...(schema && { ajv: () => values.forEach((value) => schema(value)) }),
    },
    budgetMs,
  );
  return { micros: (work: string) => quotient(micros(work), bodies.length), coldMs: cold.ms, warmMs };
}

/** Compiles the plain schema with ajv; returns undefined if ajv refuses the schema. */
function ajvSchema(definition: JsonObject, version: string): ((value: unknown) => boolean) | undefined {
  try {
    return new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schemaOfVersion(definition, version) ?? {});
  } catch {
    return undefined;
  }
}
