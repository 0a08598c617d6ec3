import { CancellationFlag } from '#go';
import { latestServer } from '#kube';
import { defaultOptions, definitionText } from '#documents';
import type { JudgingSettings } from '#documents';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems } from './evaluate-items.ts';
import { PolicyCache } from './policies.ts';

const textOf = (kind: string) => {
  const spec = { type: 'object', properties: { text: { type: 'string' }, n: { type: 'integer', maximum: 9 } } };
  const definition = customDefinition({ kind, schema: { type: 'object', properties: { spec } } });
  return definitionText({ bytes: Buffer.from(JSON.stringify(definition)), notation: 'json' }, latestServer());
};

const TYPE = '"apiVersion":"example.com/v1","kind":"First"';
const METADATA = '"metadata":{"name":"a","namespace":"default"}';
const ORDINARY = `{${TYPE},${METADATA},"spec":{"n":1}}`;

/** Returns the verdicts on the same items twice: before and after the thread has judged enough objects to use generated readers. */
function outcomes(items: readonly string[]): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [first, second] = [textOf('First'), textOf('Second')];
  const caches = { definitions: new DefinitionCache(), policies: new PolicyCache() };
  for (const text of [first, second]) caches.definitions.compile(text);
  const definitions = [
    { group: 'example.com', kind: 'First', digest: first.digest },
    { group: 'example.com', kind: 'Second', digest: second.digest },
  ];
  const settings: JudgingSettings = { options: defaultOptions(), definitions, refused: [] };
  const judge = (texts: readonly string[]): readonly string[] => {
    const slices = texts.map((text) => ({ bytes: Buffer.from(text), notation: 'json' }) as const);
    return evaluateItems(
      { kind: 'evaluate', firstItem: 0, items: slices, settings, traceparent: undefined },
      caches,
      new CancellationFlag(),
    ).verdicts;
  };
  const before = judge(items);
  const long = 'x'.repeat(20_000);
  const warm = ['First', 'Second'].map((kind) => `{"apiVersion":"example.com/v1","kind":"${kind}",${METADATA},"spec":{"text":"${long}"}}`);
  for (let i = 0; i < 5; i++) judge(warm);
  return { before, after: judge(items) };
}

it('items get the same verdicts from a generated reader as from a complete parse', () => {
  const items = [
    ORDINARY,
    `{"kind":"First","apiVersion":"example.com/v1",${METADATA},"spec":{"n":1}}`,
    `{${METADATA},"spec":{"n":1},${TYPE}}`,
    `{"object":${ORDINARY}}`,
    `{${TYPE},${METADATA},"spec":{"n":10}}`,
    `{${TYPE},${METADATA},"kind":"Second"}`,
    `{${TYPE},${METADATA},"object":{}}`,
    `{${TYPE},${METADATA}} {}`,
    `{${TYPE},${METADATA}`,
    `{${TYPE}}`,
    `{"apiVersion":"example.com/v2","kind":"First",${METADATA}}`,
    `{"apiVersion":"example.com/v1","kind":"Third",${METADATA}}`,
    '{"apiVersion":"audit.k8s.io/v1","kind":"Event","stage":"RequestReceived"}',
  ];
  const { before, after } = outcomes(items);
  expect(after).toEqual(before);
  const reported = after.map((line) => JSON.parse(line) as { readonly outcome: string; readonly kind: string });
  expect(reported.map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 4 }, () => 'accepted'),
    'rejected',
    'accepted',
    'accepted',
    ...Array.from({ length: 4 }, () => 'rejected'),
    ...Array.from({ length: 2 }, () => 'notEvaluated'),
  ]);
  // If two members have the same name, the last one counts.
  expect(reported[5]).toMatchObject({ kind: 'Second', definition: 'seconds.example.com' });
});
