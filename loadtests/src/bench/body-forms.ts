import type { ObjectWrite } from '#crd';
import { isJsonObject, readJson, readYaml } from '#go';
import type { JsonObject } from '#go';
import { dump } from 'js-yaml';
import { fixedText } from '#charts';
import { quotient } from '../measure/quotient.ts';
import { compiled, judgeAccepted } from '../workloads/judging.ts';
import { objectCases } from '../workloads/object-cases.ts';
import type { ObjectCase } from '../workloads/object-cases.ts';
import type { BenchTable } from './bench-table.ts';
import { fastestMicros } from './fastest.ts';

/** Documents longer than this are no manifests: lists are compared as JSON only. */
const LONGEST_BYTES = 64 * 1024;

/** A body as it is sent. */
type Sent = Pick<ObjectWrite, 'body' | 'contentType'>;

/** µs per object that is sent as JSON, as YAML, and as a value that was read before: as the product judges it, and by the exact code alone. */
export function benchBodyForms(quick: boolean): BenchTable {
  const cases = objectCases().filter(({ bodies }) => bodies.every(({ length }) => length <= LONGEST_BYTES));
  return {
    columns: ['object', 'sent as', 'whole µs', 'exact µs', 'exact ÷ whole', 'reading YAML µs'],
    rows: cases.flatMap((one) => rowsOf(one, quick ? 400 : 4000)),
    failedGates: [],
    notes: ['Fastest rounds over all bodies of a case, in turns. Exact: without generated readers.'],
  };
}

function rowsOf({ name, definition, version, bodies }: ObjectCase, budgetMs: number): string[][] {
  const judge = compiled(definition);
  const yaml = bodies.map((body) => Buffer.from(dump(JSON.parse(body.toString()))));
  const forms: readonly (readonly [form: string, sent: readonly Sent[]])[] = [
    ['JSON', bodies.map((body) => ({ body, contentType: 'application/json' }))],
    ['YAML', yaml.map((body) => ({ body, contentType: 'application/yaml' }))],
    ['a value', bodies.map((body) => ({ body: valueOf(body) }))],
  ];
  const judgeAll = (sent: readonly Sent[], exact: boolean): void =>
    sent.forEach(({ body, contentType }) => judgeAccepted(judge, body, { version, contentType, exact }));
  const micros = fastestMicros(
    {
      ...Object.fromEntries(
        forms.flatMap(([form, sent]) => [
          [form, () => judgeAll(sent, false)],
          [`${form}, exactly`, () => judgeAll(sent, true)],
        ]),
      ),
      reading: () => yaml.forEach((body) => readYaml(body)),
    },
    budgetMs,
  );
  const us = (key: string): number | undefined => quotient(micros(key), bodies.length);
  return forms.map(([form]) => [
    name,
    form,
    fixedText(us(form), 1),
    fixedText(us(`${form}, exactly`), 1),
    fixedText(quotient(us(`${form}, exactly`), us(form)), 2),
    form === 'YAML' ? fixedText(us('reading'), 1) : '–',
  ]);
}

function valueOf(body: Buffer): JsonObject {
  const reading = readJson(body);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('a body of the bench is no object');
  return reading.value;
}
