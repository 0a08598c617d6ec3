import { writeJson } from '#go';
import type { JsonObject } from '#go';
import { largeDefinition } from './judging.ts';
import { listBody, listDefinition } from './list-workload.ts';
import type { ListWorkload } from './list-workload.ts';
import { withRules } from './rule-definition.ts';

/** A body of `POST /evaluate`, and what its answer must tell. */
export interface EvaluateBody {
  readonly name: string;
  readonly text: string;
  readonly objects: number;
  /** Returns true if an answer says that all objects were accepted. */
  readonly accepted: (answer: string) => boolean;
}

const BOUNDED_TEXT = { type: 'string', maxLength: 100 };
/** A definition as most are: some fields, a default, a pattern, a few rules. */
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

/** Texts of objects of {@link SMALL_DEFINITION} that differ, some 300 bytes each, all accepted. */
export function smallObjects(count: number): string[] {
  return Array.from({ length: count }, (_, index) => smallObject(index));
}

/** Returns one of them. */
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

/** Returns {@link smallObjects} with their definition. */
export function smallBody(objects: number): EvaluateBody {
  const name = objects === 1 ? 'one small object' : `${objects.toLocaleString('en')} small objects`;
  return evaluateBody(name, writeJson(SMALL_DEFINITION), smallObjects(objects));
}

/** Lines that are sent at a time. */
const LINES_PER_BLOCK = 200;

/** Yields the NDJSON of a stream of at least so many small objects, the same few over and over, with their definition. */
export function* smallLines(count: number): Generator<string> {
  yield* blocksOf(
    writeJson(SMALL_DEFINITION),
    Array.from({ length: LINES_PER_BLOCK }, (_, i) => smallObject(i)),
    count,
  );
}

/** Yields the NDJSON of at least so many objects, these over and over, a block of all of them at a time. */
export function* blocksOf(definition: string, objects: readonly string[], count: number): Generator<string> {
  yield `{"definitions":[${definition}]}\n`;
  const block = objects.map((object) => `${object}\n`).join('');
  for (let sent = 0; sent < count; sent += objects.length) yield block;
}

/** Returns one object with a list of the KEP. */
export function listRequest(workload: ListWorkload): EvaluateBody {
  return evaluateBody(`list ${workload.name}`, writeJson(listDefinition(workload)), [listBody(workload)]);
}

/** Objects, all of which their definition accepts, as JSON; no limit cuts the work short. */
export function evaluateBody(name: string, definition: string, objects: readonly string[]): EvaluateBody {
  const options = '{"costLimits":{"perCall":"unlimited","perObject":"unlimited"}}';
  return {
    name,
    text: `{"definitions":[${definition}],"objects":[${objects.join(',')}],"options":${options}}`,
    objects: objects.length,
    accepted: acceptedAll(objects.length),
  };
}

/** The summary stands at the end of an answer. */
const SUMMARY_CHARACTERS = 400;

/** Returns a check that an answer tells that so many objects were accepted, and that there were no others. */
export function acceptedAll(objects: number): (answer: string) => boolean {
  const wanted = `"summary":{"items":${objects},"accepted":${objects},`;
  return (answer) => answer.slice(-SUMMARY_CHARACTERS).includes(wanted);
}
