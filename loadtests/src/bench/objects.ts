import { Ajv } from 'ajv';
import { isJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { fixedText, NOT_MEASURED } from '#charts';
import type { BenchTable } from './bench-table.ts';
import { measureGoWritePath } from '../engines/go-write-path.ts';
import type { GoWritePath } from '../engines/go-write-path.ts';
import { quotient } from '../measure/quotient.ts';
import { compiled, judgeAccepted, timed } from '../workloads/judging.ts';
import { CORPORA, objectCases } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';

/** Most that bytes → verdict may take, in times of `JSON.parse` of the same bytes. */
const wantedOf = (name: string): number | undefined =>
  name === 'HTTPRoute' ? 2 : name.startsWith('NodePool') ? 2.5 : name.startsWith('list ') ? 1 : undefined;
/** Most that it may take in times of `JSON.parse` and ajv together, which judge a part of it. */
const WANTED_BESIDE_AJV = 1.5;

/** µs per object, from bytes to verdict, as the product judges it and by the exact code alone, beside `JSON.parse` of the same bytes, ajv on the plain schema, and Go. */
export function benchObjects(quick: boolean): BenchTable {
  const go = quick ? 'a quick run' : measureGoWritePath(CORPORA);
  const rows = objectCases().map((test) => row(test, quick ? 400 : 5000, typeof go === 'string' ? new Map() : go));
  return {
    columns: [
      'object',
      'bytes',
      'whole µs',
      'exact µs',
      'JSON.parse µs',
      'whole ÷ JSON.parse',
      'wanted',
      'gate',
      'ajv µs',
      `÷ (JSON.parse + ajv), ≤ ${WANTED_BESIDE_AJV}`,
      'Go µs',
      'Go ÷ whole',
      'definition ms cold/warm',
    ],
    rows,
    failedGates: [],
    notes: [
      'Fastest rounds over all bodies of a case, in turns. Whole: as the product judges, by a generated reader where that has something to say. Exact: the same bytes under a media type that no reader takes. ajv checks the schema alone, on values parsed before; it knows neither defaults, pruning, list types nor rules.',
      'Machine time is no gate that fails the run.',
      typeof go === 'string'
        ? `Go: not measured, ${go}.`
        : 'Go: decode, prune, default and validation by the libraries of apiextensions-apiserver, one thread.',
    ],
  };
}

function row({ name, definition, version, bodies }: ObjectCase, budgetMs: number, go: GoWritePath): string[] {
  const cold = timed(() => compiled(definition));
  const warm = Math.min(...[1, 2, 3].map(() => timed(() => compiled(definition)).ms));
  const schema = ajvSchema(definition, version);
  const values = bodies.map((body) => JSON.parse(body.toString()) as unknown);
  const best = new Map<string, number>();
  const keep = (key: string, ms: number): void =>
    void best.set(key, Math.min(best.get(key) ?? Number.POSITIVE_INFINITY, ms / bodies.length));
  for (const until = performance.now() + budgetMs; performance.now() < until;) {
    keep(
      'whole',
      undisturbed(() => bodies.forEach((body) => judgeAccepted(cold.value, body, { version }))),
    );
    keep(
      'exact',
      undisturbed(() => bodies.forEach((body) => judgeAccepted(cold.value, body, { version, contentType: EXACT_ONLY }))),
    );
    keep(
      'parse',
      undisturbed(() => bodies.forEach((body) => JSON.parse(body.toString()) as unknown)),
    );
    if (schema)
      keep(
        'ajv',
        undisturbed(() => values.forEach((value) => schema(value))),
      );
  }
  const us = (key: string): number | undefined => {
    const ms = best.get(key);
    return ms === undefined ? undefined : 1000 * ms;
  };
  const figure = (value: number | undefined): string => fixedText(value, value !== undefined && value < 100 ? 1 : 0);
  const bytes = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length);
  const ratio = quotient(us('whole'), us('parse'));
  const wanted = wantedOf(name);
  const goUs = go.get(name.split(' ')[0] as string);
  const [parse, ajv] = [us('parse'), us('ajv')];
  return [
    name,
    String(bytes),
    figure(us('whole')),
    figure(us('exact')),
    figure(parse),
    fixedText(ratio, 2),
    wanted === undefined ? '–' : `≤ ${wanted}`,
    wanted === undefined ? '–' : ratio === undefined ? NOT_MEASURED : ratio <= wanted ? 'met' : 'missed',
    figure(ajv),
    fixedText(parse === undefined || ajv === undefined ? undefined : quotient(us('whole'), parse + ajv), 2),
    figure(goUs),
    figure(quotient(goUs, us('whole'))),
    `${cold.ms.toFixed(0)} / ${warm.toFixed(0)}`,
  ];
}

/** Milliseconds of a run that begins with an empty nursery. */
function undisturbed(run: () => void): number {
  globalThis.gc?.({ type: 'minor' });
  return timed(run).ms;
}

/** The media type of JSON as readers do not know it. */
const EXACT_ONLY = 'application/json; charset=utf-8';

/** The plain schema for ajv; undefined where it holds what ajv refuses. */
function ajvSchema(definition: JsonObject, version: string): ((value: unknown) => boolean) | undefined {
  const spec = definition['spec'];
  const versions = isJsonObject(spec) ? spec['versions'] : undefined;
  const found = (Array.isArray(versions) ? versions : []).find((one): one is JsonObject => isJsonObject(one) && one['name'] === version);
  const schema = found?.['schema'];
  const root: JsonValue | undefined = isJsonObject(schema) ? schema['openAPIV3Schema'] : undefined;
  try {
    return new Ajv({ strict: false, validateFormats: false, logger: false }).compile(JSON.parse(writeJson(root ?? null)) as object);
  } catch {
    return undefined;
  }
}
