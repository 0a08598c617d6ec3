import { hostileDefinitions } from '../../../../testing/hostile-definitions.ts';
import type { Attack, Family } from '../attack.ts';
import { requestAttack, posted } from '../send.ts';
import { definitionWith, IN_TIME_OR_NOT, widgetBatch } from './judged.ts';

/**
 * Hostile definitions from the service's own tests, which also check the texts of the answers. A 413 is allowed because reports with long
 * quotes may exceed the answer limit. A 503 is allowed for definitions that are not validated in time.
 */
const KNOWN: readonly Attack[] = hostileDefinitions().map(({ name, type, body, answer, long }) =>
  requestAttack(
    name,
    { method: 'POST', path: '/definitions', headers: { 'content-type': type }, body },
    [Number(answer[0]), 413, 503],
    long ? { isLong: true } : {},
  ),
);

const many = (count: number, item: (i: number) => string): string => Array.from({ length: count }, (_, i) => item(i)).join(',');
const envelope = (count: number, definition: () => string): string => `{"definitions":[${many(count, definition)}]}`;
const STRING = '{"type":"string"}';

/** Hostile schemas that are sent with an object. */
const WITH_OBJECTS: readonly (readonly [name: string, spec: () => string, object: () => string])[] = [
  [
    '60,000 properties, all given',
    () => `{"type":"object","properties":{${many(60_000, (i) => `"p${i}":${STRING}`)}}}`,
    () => `{${many(60_000, (i) => `"p${i}":1`)}}`,
  ],
  ['a default of 2.6 MB', () => `{"type":"object","properties":{"a":{"type":"string","default":"${'x'.repeat(2_600_000)}"}}}`, () => '{}'],
  ['anyOf of 10,000', () => `{"type":"string","anyOf":[${many(10_000, (i) => `{"minLength":${i + 10}}`)}]}`, () => '"abc"'],
  [
    'a set of 20,000',
    () => '{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}}',
    () => `[${many(20_000, (i) => String(i % 19_999))}]`,
  ],
  ['an enum of 100,000', () => `{"type":"string","enum":[${many(100_000, (i) => `"v${i}"`)}]}`, () => '"w"'],
  ['unknown fields without end', () => '{"type":"object"}', () => `{${many(50_000, (i) => `"u${i}":{}`)}}`],
  [
    'preserved fields without end',
    () => '{"type":"object","x-kubernetes-preserve-unknown-fields":true}',
    () => `{"l":[${many(600_000, () => '{}')}]}`,
  ],
];

/** Attacks with definitions that exhaust the resources of the process that validates them, sent alone and with objects. */
export const definitions: Family = {
  name: 'definitions',
  shapes: ['keyed', 'embedded', 'fleet'],
  attacks: () => [
    ...KNOWN,
    ...WITH_OBJECTS.map(([name, schema, spec]) =>
      posted(name, '/evaluate?returnObjects=true', ['json', () => widgetBatch(schema(), spec())], IN_TIME_OR_NOT, {
        says: /"outcome":"(?:accepted|rejected)"/,
      }),
    ),
    ...['null', '[]', '{}', '{"kind":"CustomResourceDefinition"}', '{"spec":{"versions":[null]}}', '{"__proto__":{}}'].map((text) =>
      posted(`a definition ${text}`, '/definitions', ['json', text], [200, 400]),
    ),
    ...['/matrix', '/explain'].map((path) =>
      posted(`500 definitions: ${path}`, path, ['json', () => envelope(500, () => definitionWith(STRING))], [200, 400, 413]),
    ),
    posted('501 definitions', '/evaluate', ['json', envelope(501, () => '{}')], [413]),
  ],
};
