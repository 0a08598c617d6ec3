import { readFirstDocument } from '#go';
import { latestServer } from '#kube';
import { definitionText } from '#documents';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { RUN_LIMITS } from '../limits.ts';
import { DefinitionCache } from './definition-cache.ts';

const text = (kind: string) => {
  const definition = customDefinition({ kind, schema: { type: 'object' } });
  return definitionText({ bytes: Buffer.from(JSON.stringify(definition)), notation: 'json' }, latestServer());
};

describe('the definitions that a thread compiles', () => {
  it('are compiled once for evaluations, and once for measurements', () => {
    const cache = new DefinitionCache();
    const judging = cache.compile(text('A'));
    const measured = cache.compile(text('A'), { engine: 'measured' });
    expect(measured).not.toBe(judging);
    expect(cache.compile(text('A'))).toBe(judging);
    expect(cache.compile(text('A'), { engine: 'measured' })).toBe(measured);
    expect(cache.missing([text('A').digest, text('B').digest])).toEqual([text('B').digest]);
  });

  it('share one limit: the least recently used definition is removed first', () => {
    const cache = new DefinitionCache();
    const [first, second] = [cache.compile(text('First'), { engine: 'measured' }), cache.compile(text('Second'))];
    for (let i = 2; i < RUN_LIMITS.cachedDefinitions; i++) cache.compile(text(`Filling${i}`));
    expect(cache.compile(text('First'), { engine: 'measured' })).toBe(first);
    cache.compile(text('One'), { engine: 'measured' });
    expect(cache.compile(text('First'), { engine: 'measured' })).toBe(first);
    expect(cache.compile(text('Second'))).not.toBe(second);
  });

  it('are parsed once to be split, validated and compiled', () => {
    const cache = new DefinitionCache();
    const slice = { bytes: Buffer.from('kind: A'), notation: 'yaml' } as const;
    const yaml = readFirstDocument(slice.bytes);
    cache.keep(slice, { yaml });
    expect(cache.readFirst({ ...slice, bytes: Buffer.from('kind: A') })).toEqual({ yaml });
    const document = cache.read(definitionText(slice, latestServer()));
    expect(document.ok && document.value).toBe(yaml.ok && yaml.value);
    expect(cache.read(definitionText({ ...slice, bytes: Buffer.from('kind: B') }, latestServer()))).toMatchObject({ value: { kind: 'B' } });
  });
});
