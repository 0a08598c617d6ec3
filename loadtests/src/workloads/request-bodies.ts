import { writeJson } from '#go';
import type { JsonObject } from '#go';
import { grouped } from '#numbers';
import { largeDefinition } from './judging.ts';
import { listBody, listDefinition } from './list-workload.ts';
import type { ListWorkload } from './list-workload.ts';
import { withRules } from './rule-definition.ts';

/** Body of `POST /evaluate`, with a check of its answer. */
export interface EvaluateBody {
  readonly name: string;
  readonly text: string;
  readonly objects: number;
  /** Returns true if the answer reports that all objects were accepted. */
  readonly accepted: (answer: string) => boolean;
}

const BOUNDED_TEXT = { type: 'string', maxLength: 100 };
/** Typical definition: some fields, a default, a pattern, and a few rules. */
export const SMALL_DEFINITION: JsonObject = largeDefinition({
  spec: withRules(
    {
      type: 'object',
      required: ['image', 'replicas'],
      properties: {
        image: withRules(BOUNDED_TEXT, ["self.startsWith('registry.') || !self.contains('/')"]),
        replicas: { type: 'integer', minimum: 0, maximum: 100 },
        limit: { type: 'integer', default: 100 },
        labels: { type: 'object', maxProperties: 20, additionalProperties: BOUNDED_TEXT },
        ports: {
          type: 'array',
          maxItems: 16,
          items: {
            type: 'object',
            properties: { name: { type: 'string', maxLength: 15, pattern: '^[a-z]+$' }, port: { type: 'integer' } },
          },
        },
      },
    },
    ['self.replicas <= self.limit', 'self.ports.all(p, p.port > 0 && p.port < 65536)'],
  ),
});

/** Returns the JSON texts of `count` different valid objects of {@link SMALL_DEFINITION}, about 300 bytes each. */
export function smallObjects(count: number): string[] {
  return Array.from({ length: count }, (_, index) => smallObject(index));
}

/** Returns the JSON text of one object of {@link smallObjects}. */
export function smallObject(index: number): string {
  return JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Large',
    metadata: { name: `small-${index}`, namespace: 'default' },
    spec: {
      image: `registry.example.com/team/app:v1.${index}`,
      replicas: index % 90,
      labels: { app: 'shop', tier: 'backend' },
      ports: [
        { name: 'web', port: 8080 },
        { name: 'metrics', port: 9090 },
      ],
    },
  });
}

/** Returns a request body with {@link smallObjects} and their definition. */
export function smallBody(objects: number): EvaluateBody {
  const name = objects === 1 ? 'one small object' : `${grouped(objects)} small objects`;
  return evaluateBody(name, writeJson(SMALL_DEFINITION), smallObjects(objects));
}

/** Number of lines that are sent at a time. */
const LINES_PER_BLOCK = 200;

/**
 * Yields an NDJSON stream with a definition and at least `count` small objects. The stream repeats the same {@link LINES_PER_BLOCK}
 * objects.
 */
export function* smallLines(count: number): Generator<string> {
  yield* blocksOf(
    writeJson(SMALL_DEFINITION),
    Array.from({ length: LINES_PER_BLOCK }, (_, i) => smallObject(i)),
    count,
  );
}

/** Yields an NDJSON stream with a definition and at least `count` objects. Each block contains all of `objects` once. */
export function* blocksOf(definition: string, objects: readonly string[], count: number): Generator<string> {
  yield `{"definitions":[${definition}]}\n`;
  const block = objects.map((object) => `${object}\n`).join('');
  for (let sent = 0; sent < count; sent += objects.length) yield block;
}

/** Returns a request body with one object that contains a list of the KEP. */
export function listRequest(workload: ListWorkload): EvaluateBody {
  return evaluateBody(`list ${workload.name}`, writeJson(listDefinition(workload)), [listBody(workload)]);
}

/**
 * Returns a request body with objects that their definition accepts, as JSON. Cost limits are lifted, so that no limit ends the work early.
 */
export function evaluateBody(name: string, definition: string, objects: readonly string[]): EvaluateBody {
  const options = '{"costLimits":{"perCall":"unlimited","perObject":"unlimited"}}';
  return {
    name,
    text: `{"definitions":[${definition}],"objects":[${objects.join(',')}],"options":${options}}`,
    objects: objects.length,
    accepted: acceptedAll(objects.length),
  };
}

/** Number of characters at the end of an answer that contain its summary (numbers of all items and of accepted items). */
const SUMMARY_CHARACTERS = 400;

/** Returns a function that checks whether an answer reports exactly `objects` items, all of them accepted. */
export function acceptedAll(objects: number): (answer: string) => boolean {
  const wanted = `"summary":{"items":${objects},"accepted":${objects},`;
  return (answer) => answer.slice(-SUMMARY_CHARACTERS).includes(wanted);
}
