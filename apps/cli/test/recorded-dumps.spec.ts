import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatches, isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { checkOptions, definitionText, serverOf } from '#documents';
import type { EvaluationOptions, ObjectEffect } from '#documents';
import { EngineHost } from '#runner';
import { judgeChange, whatIf } from '#service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '../src/evaluation/evaluate.ts';
import { documentsOf } from '../src/documents/read-documents.ts';

const FOLDER = join(import.meta.dirname, 'dumped');
const fileOf = (name: string) => ({ name, bytes: readFileSync(join(FOLDER, name)) });

/** Write of a dumped object, and the answer that a real server gave to this write. */
interface Answer {
  readonly title: string;
  readonly operation: 'CREATE' | 'UPDATE';
  readonly of: string;
  readonly patch: JsonValue;
  readonly asSent?: boolean;
  readonly code: number;
  readonly message?: string;
}

const answers = JSON.parse(fileOf('answers.json').bytes.toString()) as Answer[];
const host = new EngineHost({ threads: 1 });
beforeAll(() => host.start());
afterAll(() => host.stop());

function optionsWith(more: object): EvaluationOptions {
  const options = checkOptions({ kubernetesVersion: '1.37', returnObjects: true, ...more });
  if (!options.ok) throw new Error(options.status.message);
  return options.value;
}

/** Returns the object with a given name from the dumped list, unchanged. */
function dumped(name: string): JsonObject {
  const list = readJson(fileOf('pumps.json').bytes);
  const items = list.ok && isJsonObject(list.value) ? (list.value['items'] as JsonObject[]) : [];
  const found = items.find((item) => (item['metadata'] as JsonObject)['name'] === name);
  if (found === undefined) throw new Error(`no object ${name}`);
  return { apiVersion: 'assay.example.com/v1', kind: 'Pump', ...found };
}

describe('a dump of a cluster', () => {
  it.each(['pumps.yaml', 'pumps.json'])('is evaluated completely: %s', async (name) => {
    const documents = await documentsOf([fileOf('definition.yaml'), fileOf(name)], host);
    expect([documents.definitions.length, documents.objects.length]).toEqual([1, 3]);
    const { summary, definitions: reports, items } = await evaluate(documents, optionsWith({}), host);
    expect(summary).toMatchObject({ items: 3, accepted: 3, takenOff: 3 });
    expect(reports).toMatchObject([{ accepted: true, takenOff: true }]);
    expect(items.map((item) => item.name)).toEqual(['intake', 'locked', 'plain']);
  });

  it.each(answers.map((answer) => [answer.title, answer] as const))(
    'has the verdicts of the server from which it comes: %s',
    async (_, answer) => {
      const object = dumped(answer.of);
      const patched = applyPatches(object, answer.patch);
      if (!patched.ok) throw new Error('the patch does not fit');
      const written = writeJson(patched.document);
      const text = answer.operation === 'UPDATE' ? `{"object":${written},"oldObject":${writeJson(object)}}` : written;
      const { definitions } = await documentsOf([fileOf('definition.yaml')], host);
      // The definition also comes from the dump, and only the write is evaluated as sent.
      const plain = definitions.map(({ source, slice }) => ({
        source,
        slice: {
          ...slice,
          bytes: Buffer.from(
            Buffer.from(slice.bytes)
              .toString()
              .replace(/\n {2}resourceVersion: .*/, ''),
          ),
        },
      }));
      const writes = await documentsOf([{ name: 'writes.ndjson', bytes: Buffer.from(text) }], host);
      const { items } = await evaluate({ ...writes, definitions: plain }, optionsWith({ asSent: answer.asSent === true }), host);
      const [item] = items;
      expect([item?.outcome, item?.status?.message]).toEqual([answer.code < 300 ? 'accepted' : 'rejected', answer.message]);
    },
  );

  it('is unaffected by a what-if from its definition to the same definition', async () => {
    const options = optionsWith({});
    const { definitions, objects } = await documentsOf([fileOf('definition.yaml'), fileOf('pumps.yaml')], host);
    const [definition] = definitions;
    if (definition === undefined) throw new Error('no definition');
    const text = definitionText(definition.slice, serverOf(options));
    const change = { from: text, to: text, options };
    expect(await judgeChange(host, change)).toMatchObject({ accepted: true });
    const effects: ObjectEffect[] = [];
    const slices = objects.map(({ slice }) => slice);
    for await (const block of whatIf(
      host,
      change,
      (async function* () {
        yield slices;
      })(),
    ))
      effects.push(...block);
    expect(effects.map(({ name, effect }) => [name, effect])).toEqual([
      ['intake', 'unaffected'],
      ['locked', 'unaffected'],
      ['plain', 'unaffected'],
    ]);
  });
});
