import { Ajv } from 'ajv';
import { validateObject } from '#crd';
import type { CompiledDefinition, PhaseTimings } from '#crd';
import { isJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { BenchTable } from './bench-table.ts';
import { measureGoWritePath } from '../engines/go-write-path.ts';
import type { GoWritePath } from '../engines/go-write-path.ts';
import { fixedText, NOT_MEASURED } from '../measure/figures.ts';
import { quotient } from '../measure/quotient.ts';
import { compiled, timed, UNLIMITED } from '../workloads/judging.ts';
import { CORPORA, objectCases } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';

const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;
/** Columns by phase, in the order of the phases. */
const PHASE_NAMES = ['parse', 'prune+default', 'OpenAPI', 'list types', 'CEL'];

/** Most that the OpenAPI part of a KEP list may take. */
const KEP_OPENAPI_US = 3000;

/** µs per object by phase, beside JSON.parse of the same bytes and ajv on the plain schema. */
export function benchObjects(quick: boolean): BenchTable {
  const go = quick ? 'a quick run' : measureGoWritePath(CORPORA);
  const rows = objectCases().map((test) => row(test, quick ? 400 : 5000, typeof go === 'string' ? new Map() : go));
  return {
    columns: [
      'object',
      'bytes',
      ...PHASE_NAMES.map((phase) => `${phase} µs`),
      'whole µs',
      'JSON.parse µs',
      'whole ÷ JSON.parse',
      'wanted',
      'gate',
      'ajv µs',
      'Go µs',
      'Go ÷ whole',
      'definition ms cold/warm',
    ],
    rows,
    failedGates: [],
    notes: [
      'Fastest rounds over all bodies of a case; phases from rounds of their own, since looking at the clock costs time. ajv checks the schema alone, on values parsed before; it knows neither defaults, pruning, list types nor rules.',
      'Wanted: at most four times JSON.parse for an HTTPRoute; for the KEP lists less than JSON.parse, and 3 ms for the OpenAPI part. Machine time is no gate that fails the run.',
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
      undisturbed(() => bodies.forEach((body) => judge(cold.value, body, version, false))),
    );
    keep(
      'parseOnly',
      undisturbed(() => bodies.forEach((body) => JSON.parse(body.toString()) as unknown)),
    );
    if (schema)
      keep(
        'ajv',
        undisturbed(() => values.forEach((value) => schema(value))),
      );
    const sums = { parse: 0, prune: 0, openapi: 0, lists: 0, cel: 0 };
    for (const body of bodies) {
      const spent = judge(cold.value, body, version, true);
      for (const phase of PHASES) sums[phase] += spent?.[phase] ?? 0;
    }
    for (const phase of PHASES) keep(phase, sums[phase]);
  }
  const us = (key: string): number | undefined => {
    const ms = best.get(key);
    return ms === undefined ? undefined : 1000 * ms;
  };
  const figure = (value: number | undefined): string => fixedText(value, value !== undefined && value < 100 ? 1 : 0);
  const bytes = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length);
  const ratio = quotient(us('whole'), us('parseOnly'));
  const wanted = name === 'HTTPRoute' ? 4 : name.startsWith('list ') ? 1 : undefined;
  const goUs = go.get(name.split(' ')[0] as string);
  return [
    name,
    String(bytes),
    ...PHASES.map((phase) => figure(us(phase))),
    figure(us('whole')),
    figure(us('parseOnly')),
    fixedText(ratio, ratio !== undefined && ratio < 10 ? 2 : 1),
    wanted === undefined ? '–' : `≤ ${wanted}`,
    wanted === undefined ? '–' : metText(ratio, us('openapi'), wanted),
    figure(us('ajv')),
    figure(goUs),
    figure(quotient(goUs, us('whole'))),
    `${cold.ms.toFixed(0)} / ${warm.toFixed(0)}`,
  ];
}

/** Whether the wish is met; a time of a KEP list, for which `wanted` is 1, has a bound of its own for the OpenAPI part, µs. */
function metText(ratio: number | undefined, openapiUs: number | undefined, wanted: number): string {
  if (ratio === undefined || openapiUs === undefined) return NOT_MEASURED;
  return ratio <= wanted && (wanted > 1 || openapiUs <= KEP_OPENAPI_US) ? 'met' : 'missed';
}

/** Milliseconds of a run that begins with an empty nursery. */
function undisturbed(run: () => void): number {
  globalThis.gc?.({ type: 'minor' });
  return timed(run).ms;
}

function judge(definition: CompiledDefinition, body: Buffer, version: string, timings: boolean): PhaseTimings | undefined {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version },
    { timings, costLimit: UNLIMITED, budget: UNLIMITED },
  );
  if ('cancelled' in verdict || !verdict.accepted) throw new Error('an object that was to be accepted is not');
  return verdict.phases;
}

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
