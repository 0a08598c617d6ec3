import { js } from '#cel';
import { utf8Bytes, writeJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { thorough } from '../../../../testing/thorough.ts';
import { seededWhole } from '../../../../testing/seeded-random.ts';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import { widget, widgetDefinition } from '../testing/definition-fixture.ts';
import { verdictText } from '../testing/outcomes.ts';
import { KEYWORDS } from './all.ts';
import type { Keyword } from './keyword.ts';

const TEXT = { type: 'string', minLength: 1, maxLength: 8, pattern: '^[a-zé😀 ]*$' };
const INTEGER = { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 100, exclusiveMaximum: true };
const SPEC = widgetDefinition({
  type: 'object',
  required: ['text', 'count'],
  properties: {
    text: TEXT,
    word: { type: 'string', enum: ['fast', 'slow', 'slower'], maxLength: 5 },
    day: { type: 'string', format: 'date' },
    count: INTEGER,
    small: { type: 'integer', format: 'int32', multipleOf: 2 },
    share: { type: 'number', minimum: 0, maximum: 1 },
    flag: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true, maxLength: 3, maximum: 9 },
    texts: { type: 'array', minItems: 1, maxItems: 4, items: TEXT },
    lengths: { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 6 } },
    counts: { type: 'array', minItems: 1, maxItems: 200, items: INTEGER, 'x-kubernetes-list-type': 'set' },
    labels: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: TEXT },
    sized: { type: 'object', minProperties: 1, maxProperties: 2, properties: { a: TEXT, b: TEXT, c: TEXT }, required: ['a'] },
    one: { type: 'string', anyOf: [{ maxLength: 2 }, { pattern: 'b$' }], allOf: [{ minLength: 1 }] },
  },
});

type Random = ReturnType<typeof seededWhole>;
const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;
const several = <T>(random: Random, most: number, make: (random: Random) => T): T[] =>
  Array.from({ length: random(most + 1) }, () => make(random));

const text = (random: Random): string =>
  pick(random, ['a', 'abc', 'é😀', 'eight ab', 'a b', ...(random(20) === 0 ? ['', 'nine abcd', 'Upper', '😀😀😀😀😀😀😀😀'] : [])]);
const count = (random: Random): number => (random(60) === 0 ? pick(random, [0, 100, -1, 1e9]) : 1 + random(99));
const entries = (random: Random, names: readonly string[]) =>
  Object.fromEntries(several(random, 3, (one) => [pick(one, names), text(one)]));

/** Generators of values for the fields of a widget. Most values are valid, and a few violate a keyword by a small margin. */
const FIELDS: Readonly<Record<string, (random: Random) => unknown>> = {
  text,
  word: (random) => pick(random, ['fast', 'slow', 'fast', random(20) === 0 ? 'slower' : 'slow']),
  day: (random) => (random(40) === 0 ? '2026-13-01' : '2026-11-27'),
  count,
  small: (random) => (random(40) === 0 ? pick(random, [3, 2 ** 31, -(2 ** 31)]) : 2 * random(9)),
  share: (random) => (random(40) === 0 ? pick(random, [1.5, -0.5, 2]) : pick(random, [0, 0.5, 1])),
  flag: (random) => random(2) === 0,
  port: (random) => pick(random, ['a', 'abc', 7, ...(random(40) === 0 ? ['abcd', 10] : [])]),
  texts: (random) => several(random, random(40) === 0 ? 6 : 3, text),
  lengths: (random) => several(random, 150, (one) => (one(3_000) === 0 ? 'seven a' : 'sixxxx')),
  counts: (random) => [...new Set(several(random, 150, (one) => (one(1_500) === 0 ? count(one) : 1 + one(99))))],
  labels: (random) => (random(25) === 0 ? {} : { x: text(random), ...entries(random, random(20) === 0 ? ['y', 'z'] : ['y']) }),
  sized: (random) => ({ a: 'a', ...entries(random, random(20) === 0 ? ['b', 'c'] : ['b']) }),
  one: (random) => pick(random, ['a', 'ab', 'aab', ...(random(40) === 0 ? ['aaa'] : [])]),
};

function randomWidget(random: Random): Uint8Array {
  const spec = Object.entries(FIELDS).flatMap(([name, make]) =>
    random(12) === 0 && (!['text', 'count'].includes(name) || random(6) === 0) ? [] : [[name, make(random)]],
  );
  return utf8Bytes(writeJson(widget(Object.fromEntries(spec))));
}

const OBJECTS = Array.from({ length: 1_000 }, (_, seed) => randomWidget(seededWhole(seed)));

function compiled(vocabulary = KEYWORDS, isCompiled = true): CompiledDefinition {
  const engine = isCompiled ? nodeEngine('compiled') : undefined;
  const outcome = compileStoredDefinition(SPEC, { minor: LATEST_MINOR, vocabulary, engine });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

const judged = (definition: CompiledDefinition) =>
  OBJECTS.map((body) => {
    const verdict = validateObject(
      definition,
      { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Strict' },
      { timings: true },
    );
    return { text: verdictText(verdict), isRead: !('cancelled' in verdict) && verdict.phases === undefined };
  });

const EXACT = judged(compiled(KEYWORDS, false)).map(({ text: reported }) => reported);

/**
 * Computes the verdicts on the objects after `change` has replaced one keyword. Returns the number of verdicts that differ from the exact
 * validation, and the number of objects on which a reader computed the verdict.
 */
function withChanged(name: string, change: (keyword: Keyword) => Keyword): { readonly wrong: number; readonly read: number } {
  const found = judged(compiled(KEYWORDS.map((keyword) => (keyword.name === name ? change(keyword) : keyword))));
  return {
    wrong: found.filter(({ text: reported }, i) => reported !== EXACT[i]).length,
    read: found.filter(({ isRead }) => isRead).length,
  };
}

const FAST = KEYWORDS.keywords.filter(({ fastPaths }) => Object.keys(fastPaths).length > 0).map(({ name }) => name);

describe('a keyword without its fast paths', () => {
  it('is one of these', () => {
    const scalars = ['format', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern'];
    const structures = [
      'maxItems',
      'minItems',
      'enum',
      'maxProperties',
      'minProperties',
      'required',
      'items',
      'properties',
      'additionalProperties',
    ];
    expect(FAST).toEqual([...scalars, ...structures]);
  });

  it.each(FAST)('gets the verdicts of the exact code: %s', (name) => {
    expect(withChanged(name, (keyword) => ({ ...keyword, fastPaths: {} })).wrong).toBe(0);
  });

  const single = FAST.flatMap((name) => Object.keys(KEYWORDS.byName.get(name)?.fastPaths ?? {}).map((way) => [name, way] as const));

  it.runIf(thorough).each(single)('gets the verdicts of the exact code: %s without the fast path %s', (name, way) => {
    const ways = Object.entries(KEYWORDS.byName.get(name)?.fastPaths ?? {}).filter(([other]) => other !== way);
    expect(withChanged(name, (keyword) => ({ ...keyword, fastPaths: Object.fromEntries(ways) })).wrong).toBe(0);
  });
});

describe('the sample objects of this test', () => {
  it('are accepted or rejected in useful numbers, and generated code accepts most valid ones', () => {
    const { wrong, read } = withChanged('maxLength', (keyword) => keyword);
    const accepted = EXACT.filter((reported) => reported.startsWith('[true')).length;
    expect([wrong, read > 0.8 * accepted]).toEqual([0, true]);
    expect(accepted).toBeGreaterThan(300);
    expect(accepted).toBeLessThan(900);
  });

  // The objects must reveal code that tests nothing. Otherwise, the comparison proves nothing.
  it.each(
    FAST.filter((name) => !['items', 'properties', 'additionalProperties', 'enum', 'exclusiveMaximum', 'exclusiveMinimum'].includes(name)),
  )('reveal generated code that does not check %s', (name) => {
    const { wrong } = withChanged(name, (keyword) => ({
      ...keyword,
      fastPaths: { code: () => js``, between: () => true, column: () => true },
    }));
    expect(wrong).toBeGreaterThan(0);
  });
});
