import { Ajv } from 'ajv';
import { compileDefinition, validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { isJsonObject, LATEST_MINOR, writeJson } from '#kube';
import type { JsonObject, JsonValue } from '#kube';
import type { Table } from '../experiments/experiment.ts';
import { median } from '../measure/percentile.ts';
import { objectCases } from './object-cases.ts';
import type { ObjectCase } from './object-cases.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;
const PHASES = ['parse', 'prune', 'openapi', 'cel'] as const;

/** µs per object by phase, beside JSON.parse of the same bytes and ajv on the plain schema. */
export function benchObjects(quick: boolean): Table {
  const rows = objectCases().map((test) => row(test, quick ? 400 : 2000));
  return {
    columns: [
      'object',
      'bytes',
      ...PHASES.map((phase) => `${phase} µs`),
      'whole µs',
      'JSON.parse µs',
      'whole ÷ JSON.parse',
      'ajv µs',
      'definition ms cold/warm',
    ],
    rows,
    failedGates: [],
    notes: [
      'Medians of rounds over all bodies of a case. ajv checks the schema alone, on values parsed before; it knows neither defaults, pruning, list types nor rules.',
    ],
  };
}

function row({ name, definition, version, bodies }: ObjectCase, budgetMs: number): string[] {
  const cold = timed(() => compiled(definition));
  const warm = Math.min(...[1, 2, 3].map(() => timed(() => compiled(definition)).ms));
  const samples = new Map<string, number[]>([...PHASES, 'whole', 'parseOnly', 'ajv'].map((key) => [key, []]));
  const schema = ajvSchema(definition, version);
  const values = bodies.map((body) => JSON.parse(body.toString()) as unknown);
  for (const until = performance.now() + budgetMs; performance.now() < until || (samples.get('whole')?.length ?? 0) < 3;) {
    const sums = { parse: 0, prune: 0, openapi: 0, cel: 0 };
    const whole = timed(() => {
      for (const body of bodies) {
        const spent = judge(cold.value, body, version);
        for (const phase of PHASES) sums[phase] += spent[phase];
      }
    });
    samples.get('whole')?.push(whole.ms / bodies.length);
    for (const phase of PHASES) samples.get(phase)?.push(sums[phase] / bodies.length);
    samples.get('parseOnly')?.push(timed(() => bodies.map((body) => JSON.parse(body.toString()) as unknown)).ms / bodies.length);
    if (schema) samples.get('ajv')?.push(timed(() => values.map((value) => schema(value))).ms / bodies.length);
  }
  const us = (key: string): number => 1000 * median(samples.get(key) ?? []);
  const figure = (value: number): string => (Number.isNaN(value) ? '–' : value < 100 ? value.toFixed(1) : value.toFixed(0));
  const bytes = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length);
  const ratio = us('whole') / us('parseOnly');
  return [
    name,
    String(bytes),
    ...PHASES.map((phase) => figure(us(phase))),
    figure(us('whole')),
    figure(us('parseOnly')),
    ratio.toFixed(1),
    figure(us('ajv')),
    `${cold.ms.toFixed(0)} / ${warm.toFixed(0)}`,
  ];
}

function judge(definition: CompiledDefinition, body: Buffer, version: string): Readonly<Record<(typeof PHASES)[number], number>> {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn', version },
    { timings: true, costLimit: UNLIMITED, budget: UNLIMITED },
  );
  if ('cancelled' in verdict || !verdict.phases) throw new Error('cancelled');
  return verdict.phases;
}

function compiled(document: JsonObject): CompiledDefinition {
  const outcome = compileDefinition(document, { minor: LATEST_MINOR });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

function timed<T>(run: () => T): { readonly value: T; readonly ms: number } {
  const started = performance.now();
  const value = run();
  return { value, ms: performance.now() - started };
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
