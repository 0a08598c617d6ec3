import { readJson } from '#go';
import { describe, expect, it } from 'vitest';
import { environmentFor } from '../language/environment.ts';
import { compile, schemaOf } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';
import { formatValue } from './format-value.ts';
import { CelError } from './value.ts';
import { wrapValue } from './wrap.ts';
import type { Minor } from '#kube';

const KEYED = { type: 'object', properties: { 'my-key': { type: 'string' }, v: { type: 'integer' } }, required: ['my-key'] } as const;
const SCHEMA: SchemaFixture = {
  type: 'object',
  properties: {
    set: { type: 'array', listType: 'set', items: { type: 'string' } },
    twins: { type: 'array', listType: 'set', items: { type: 'string' } },
    numbers: { type: 'array', listType: 'set', items: { type: 'number' } },
    days: { type: 'array', listType: 'set', items: { type: 'string', format: 'date' } },
    keyed: { type: 'array', listType: 'map', listMapKeys: ['my-key'], items: KEYED },
    more: { type: 'array', items: KEYED },
    holder: { type: 'object', properties: { nothing: { type: 'string', nullable: true } } },
  },
};
const OBJECT = `{
  "set": ["a", "b"], "twins": ["a", "a"], "numbers": [1, 2.5, 1e3], "days": ["2024-02-29"], "holder": {"nothing": null},
  "keyed": [{"my-key": "1", "v": 1}, {"my-key": "2", "v": 2}], "more": [{"my-key": "3", "v": 3}]
}`;

function run(text: string, minor: Minor, engine: 'compiled' | 'interpreted'): string {
  const reading = readJson(OBJECT);
  const compiled = compile(text, SCHEMA, { engine, environment: environmentFor(minor, 'stored') });
  if (!compiled.ok || !reading.ok) throw new Error(compiled.ok ? 'bad fixture' : compiled.error);
  const self = wrapValue(reading.value, schemaOf(SCHEMA));
  const { value } = compiled.program.evaluate({ self }, { costLimit: 1_000_000, token: undefined });
  return value instanceof CelError ? `error: ${value.message}` : formatValue(value);
}

/**
 * Expressions whose result changed between Kubernetes minor versions, with the result on some of these versions. Source: k8s.io/apiserver
 * pkg/cel/common/values.go and valuesunstructured.go (1.30, 1.33, 1.36, 1.37).
 */
const CHANGED: readonly (readonly [text: string, ...answers: (readonly [Minor, string])[]])[] = [
  ['self.set == self.twins', ['1.36', 'true'], ['1.37', 'false']],
  ['self.twins == self.set', ['1.36', 'false'], ['1.37', 'false']],
  ["self.set == ['a', 'a']", ['1.30', 'true'], ['1.36', 'true'], ['1.37', 'false']],
  ['self.holder == self.holder', ['1.33', 'false'], ['1.34', 'true']],
  ['self.keyed == self.keyed', ['1.36', 'false'], ['1.37', 'false']],
  ['(self.keyed + dyn(self.more)).size()', ['1.36', '2'], ['1.37', '3']],
  // Up to 1.36, a set finds its elements by their raw data, and the raw integer 1 is not the double 1.0.
  ['self.numbers == self.numbers', ['1.30', 'false'], ['1.36', 'false'], ['1.37', 'true']],
  ['self.numbers == [1000.0, 2.5, 1000.0]', ['1.36', 'true'], ['1.37', 'false']],
  ['(self.numbers + [1.0, 2.5]).size()', ['1.36', '4'], ['1.37', '3']],
  ['(self.numbers + [1.0]) == [1.0, 2.5, 1000.0, 1.0]', ['1.36', 'true'], ['1.37', 'false']],
  ['self.days == self.days', ['1.36', 'false'], ['1.37', 'true']],
  ['self.set == self.set', ['1.30', 'true'], ['1.37', 'true']],
];

const rows = CHANGED.flatMap(([text, ...answers]) =>
  answers.flatMap(([minor, answer]) => (['compiled', 'interpreted'] as const).map((engine) => [minor, text, answer, engine] as const)),
);

describe('equality and addition of lists with a schema', () => {
  it.each(rows)('in %s, %s gives %s (%s)', (minor, text, answer, engine) => {
    expect(run(text, minor, engine)).toBe(answer);
  });
});
