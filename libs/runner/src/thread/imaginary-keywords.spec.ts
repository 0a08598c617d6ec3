import { CancellationFlag } from '#go';
import { latestServer } from '#kube';
import { defaultOptions, definitionText } from '#documents';
import type { JudgingSettings } from '#documents';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { IMAGINARY_CASES, WITH_IMAGINARY } from '../../../crd/src/testing/imaginary-keywords.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems } from './evaluate-items.ts';
import { PolicyCache } from './policies.ts';

/** Returns the outcomes of the same widgets twice: before the thread has evaluated enough objects to generate code, and afterwards. */
function outcomes(schema: object, values: readonly unknown[]): readonly (readonly string[])[] {
  const properties = { spec: { type: 'object', properties: { field: schema } } };
  const definition = customDefinition({ kind: 'Widget', schema: { type: 'object', properties } });
  const text = definitionText({ bytes: Buffer.from(JSON.stringify(definition)), notation: 'json' }, latestServer());
  const caches = { definitions: new DefinitionCache(WITH_IMAGINARY), policies: new PolicyCache() };
  caches.definitions.compile(text);
  const definitions = [{ group: 'example.com', kind: 'Widget', digest: text.digest }];
  const settings: JudgingSettings = { options: defaultOptions(), definitions, refused: [] };
  const judge = (fields: readonly unknown[]): readonly string[] => {
    const objects = fields.map((field) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec: { field } }));
    const items = objects.map((object) => ({ bytes: Buffer.from(JSON.stringify(object)), notation: 'json' }) as const);
    const work = { kind: 'evaluate', firstItem: 0, items, settings, traceparent: undefined } as const;
    const { verdicts } = evaluateItems(work, caches, new CancellationFlag());
    return verdicts.map((line) => (JSON.parse(line) as { readonly outcome: string }).outcome);
  };
  const first = judge(values);
  // A reader is generated after 64 KiB of bodies.
  const length = JSON.stringify(values[0]).length + 100;
  for (let bytes = 0; bytes < 200_000; bytes += 20 * length) judge(Array.from({ length: 20 }, () => values[0]));
  return [first, judge(values)];
}

it.each(IMAGINARY_CASES)('a batch rejects violations of a keyword that only tests add, for %s', (_, schema, valid, invalid) => {
  expect(outcomes(schema, [valid, invalid, valid])).toEqual(Array.from({ length: 2 }, () => ['accepted', 'rejected', 'accepted']));
});
