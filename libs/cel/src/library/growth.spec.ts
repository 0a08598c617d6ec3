import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../testing/thorough.ts';
import { newJsonObject } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { EngineName } from '#runner/linker';
import { compile, schemaOf } from '../testing/compile-fixture.ts';
import type { SchemaFixture } from '../testing/compile-fixture.ts';
import { viewJson } from '../values/json-view.ts';
import { viewTyped } from '../values/typed-view.ts';
import type { DataType } from '../values/typed-view.ts';
import { CelError } from '../values/value.ts';
import { wrapValue } from '../values/wrap.ts';
import { FUNCTIONS } from './all.ts';

/**
 * Cancellation token that counts how often `cancelled` is read. An evaluation reads `cancelled` again after at most a fixed number of
 * steps.
 */
class Looks implements CancellationToken {
  count = 0;
  get cancelled(): boolean {
    this.count++;
    return false;
  }
}

/**
 * Counter of the keys that were enumerated in the objects that `watched` returns. Each enumeration of an object adds the number of its
 * keys.
 */
class Listed {
  count = 0;
  watched(object: JsonObject): JsonObject {
    return new Proxy(object, {
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        this.count += keys.length;
        return keys;
      },
    });
  }
}

const text: SchemaFixture = { type: 'string' };
const ints: SchemaFixture = { type: 'array', items: { type: 'integer' } };
const map: SchemaFixture = { type: 'object', additionalProperties: { type: 'integer' } };
const texts: SchemaFixture = { type: 'array', items: text };
const unknown: SchemaFixture = { type: 'object', preserveUnknownFields: true };
const fixture: SchemaFixture = {
  type: 'object',
  properties: { s: text, t: text, ints, same: ints, texts, m: map, few: map, u: unknown, v: unknown },
};

const EVERY = Array.from({ length: 1000 }, (_, i) => i);
const object = (entries: Readonly<Record<string, JsonValue>>): JsonObject => Object.assign(newJsonObject(), entries);
const filled = (size: number): JsonObject => object(Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, i])));
const periodic = (size: number): JsonObject => object({ s: 'a'.repeat(size), t: `${'a'.repeat(size / 4)}b${'a'.repeat(size / 4)}` });
const commas = (size: number): JsonObject => object({ s: ','.repeat(size), t: ',' });
const mixed = (size: number): JsonObject => object({ s: 'Æa'.repeat(size / 2) });
const unlisted = (size: number): JsonObject => object({ of: Array.from({ length: size }, (_, i) => object({ in: object({ at: i }) })) });
const deep = (size: number): JsonObject => object({ u: unlisted(size), v: unlisted(size) });
const counting = (size: number): JsonObject =>
  object({ few: filled(3), ints: Array.from({ length: size }, (_, i) => i), same: Array.from({ length: size }, (_, i) => i) });
const large = (size: number, listed: Listed): JsonObject => object({ ints: EVERY, m: listed.watched(filled(size)), few: filled(3) });

interface Case {
  readonly overloads: readonly string[];
  readonly rule: string;
  readonly self: (size: number, listed: Listed) => JsonObject;
  readonly sizes: readonly [small: number, double: number];
}

const TEXTS = [500_000, 1_000_000] as const;
const LISTS = [4000, 8000] as const;
const MAPS = [20_000, 40_000] as const;

const INT_FUNCTIONS = [
  ...['sum_int', 'max_int', 'min_int', 'is_sorted_bool'].map((name) => `list_int_${name}`),
  'list_a_index_of_int',
  'list_a_last_index_of_int',
  'list_includes_dyn_dyn',
];

const CASES: readonly Case[] = [
  { overloads: ['contains_string'], rule: '!self.s.contains(self.t)', self: periodic, sizes: TEXTS },
  { overloads: ['contains_string'], rule: "!self.s.contains('aaab')", self: periodic, sizes: TEXTS },
  { overloads: ['string_index_of_string'], rule: 'self.s.indexOf(self.t) < 0', self: periodic, sizes: TEXTS },
  { overloads: ['string_index_of_string_int'], rule: 'self.s.indexOf(self.t, 3) < 0', self: periodic, sizes: TEXTS },
  { overloads: ['string_last_index_of_string'], rule: 'self.s.lastIndexOf(self.t) < 0', self: periodic, sizes: TEXTS },
  { overloads: ['string_last_index_of_string_int'], rule: 'self.s.lastIndexOf(self.t, 499000) < 0', self: periodic, sizes: TEXTS },
  { overloads: ['string_replace_string_string'], rule: "self.s.replace(self.t, 'x') == self.s", self: periodic, sizes: TEXTS },
  { overloads: ['string_replace_string_string'], rule: "self.s.replace(self.t, 'x') != self.s", self: commas, sizes: TEXTS },
  { overloads: ['string_replace_string_string_int'], rule: "self.s.replace(self.t, 'x', 9) == self.s", self: periodic, sizes: TEXTS },
  { overloads: ['string_split_string'], rule: 'self.s.split(self.t).size() == 1', self: periodic, sizes: TEXTS },
  { overloads: ['string_split_string'], rule: 'self.s.split(self.t).size() > 9', self: commas, sizes: TEXTS },
  { overloads: ['string_split_string'], rule: "self.s.split('').size() > 9", self: commas, sizes: TEXTS },
  { overloads: ['string_split_string_int'], rule: 'self.s.split(self.t, 9).size() == 1', self: periodic, sizes: TEXTS },
  { overloads: ['list_join', 'list_join_string'], rule: "self.texts.join('') + self.texts.join(',') != ''", self: joined, sizes: LISTS },
  { overloads: ['size_map', 'map_size'], rule: 'self.ints.all(e, self.m.size() > 0 && size(self.m) > 0)', self: large, sizes: MAPS },
  { overloads: ['in_map'], rule: "self.ints.all(e, 'k7' in self.m && has(self.m.k7))", self: large, sizes: MAPS },
  { overloads: ['equals'], rule: 'self.ints.all(e, !(self.m == self.few) && !(self.few == self.m))', self: large, sizes: MAPS },
  { overloads: ['not_equals'], rule: 'self.ints.all(e, self.m != {} && {} != self.m)', self: large, sizes: MAPS },
  { overloads: ['equals', 'not_equals'], rule: 'dyn(self.u) == dyn(self.v) && !(dyn(self.u) != dyn(self.v))', self: deep, sizes: LISTS },
  { overloads: ['equals'], rule: 'self.ints == self.same', self: counting, sizes: LISTS },
  { overloads: ['in_list'], rule: '!(-1 in self.ints)', self: counting, sizes: LISTS },
  { overloads: ['list_distinct'], rule: 'self.ints.distinct().size() > 9', self: counting, sizes: LISTS },
  { overloads: ['index_map'], rule: "self.ints.all(e, self.m['k7'] == 7 && self.m.k7 == 7)", self: large, sizes: MAPS },
  {
    overloads: ['map_optindex_optional_value', 'optional_map_optindex_optional_value', 'select_optional_field', 'optional_map_index_value'],
    rule: "self.ints.all(e, self.m[?'k7'].value() == 7 && self.m.?k7.hasValue() && optional.of(self.m)[?'x'] == optional.none() && optional.of(self.m)['k7'].hasValue())",
    self: large,
    sizes: MAPS,
  },
  {
    overloads: ['index_list', 'list_optindex_optional_int', 'optional_list_optindex_optional_int', 'optional_list_index_int'],
    rule: 'self.few.all(e, self.ints[7] == 7 && self.ints[?7].hasValue() && optional.of(self.ints)[?7].value() == 7 && optional.of(self.ints)[7].hasValue())',
    self: counting,
    sizes: LISTS,
  },
  {
    overloads: ['size_list', 'list_size'],
    rule: 'self.few.all(e, size(self.ints) > 9 && self.ints.size() > 9)',
    self: counting,
    sizes: LISTS,
  },
  { overloads: ['add_list'], rule: 'self.few.all(e, (self.ints + self.same)[0] == 0)', self: counting, sizes: LISTS },
  ...['sum() > 9', 'max() > 9', 'min() == 0', 'isSorted()', 'indexOf(-1) < 0', 'lastIndexOf(-1) < 0', 'includes(-1) == false'].map(
    (call, i) => ({
      overloads: [INT_FUNCTIONS[i] as string],
      rule: `self.ints.${call}`,
      self: counting,
      sizes: LISTS,
    }),
  ),
  { overloads: ['list_slice'], rule: 'self.ints.slice(1, 4000).size() > 9', self: counting, sizes: LISTS },
  {
    overloads: ['list_flatten', 'list_flatten_int'],
    rule: '[self.ints].flatten().size() + [self.ints].flatten(2).size() > 9',
    self: counting,
    sizes: LISTS,
  },
  { overloads: ['list_reverse'], rule: 'self.ints.reverse()[0] > 9', self: counting, sizes: LISTS },
  { overloads: ['list_int_sort'], rule: 'self.ints.sort()[0] == 0', self: counting, sizes: LISTS },
  { overloads: ['list_int_sortByAssociatedKeys'], rule: 'self.ints.sortBy(e, -e)[0] > 9', self: counting, sizes: LISTS },
  { overloads: ['lists_range'], rule: 'lists.range(self.ints.size()).size() > 9', self: counting, sizes: LISTS },
  {
    overloads: ['optional_unwrap', 'optional_unwrapOpt'],
    rule: 'optional.unwrap(self.ints.map(e, optional.of(e))).size() > 9',
    self: counting,
    sizes: LISTS,
  },
  {
    overloads: ['string_lower_ascii', 'string_upper_ascii'],
    rule: 'self.s.lowerAscii() != self.s.upperAscii()',
    self: mixed,
    sizes: TEXTS,
  },
  { overloads: ['strings_quote'], rule: 'strings.quote(self.s).size() > 9', self: mixed, sizes: TEXTS },
  ...['contains', 'equivalent', 'intersects'].map((name) => ({
    overloads: [`list_sets_${name}_list`],
    rule: `sets.${name}(self.ints, self.same)`,
    self: counting,
    sizes: LISTS,
  })),
];

function joined(size: number): JsonObject {
  return object({ texts: Array.from({ length: size }, () => 'a') });
}

const integers: DataType = { kind: 'int64' };
const entries: DataType = { kind: 'map', of: integers };
const struct: DataType = {
  kind: 'struct',
  name: 'Data',
  fields: new Map([
    ['s', { type: { kind: 'string' } }],
    ['t', { type: { kind: 'string' } }],
    ['ints', { type: { kind: 'list', of: integers } }],
    ['same', { type: { kind: 'list', of: integers } }],
    ['u', { type: { kind: 'own', name: 'Unknown' } }],
    ['v', { type: { kind: 'own', name: 'Unknown' } }],
    ['texts', { type: { kind: 'list', of: { kind: 'string' } } }],
    ['m', { type: entries }],
    ['few', { type: entries }],
  ]),
};

/** Functions that create a CEL value from an object's data, one for each representation of data that the engines support. */
const VIEWS = {
  schema: (data: JsonObject) => wrapValue(data, schemaOf(fixture)),
  json: viewJson,
  typed: (data: JsonObject) => viewTyped(data, struct),
};
type View = keyof typeof VIEWS;

/**
 * Evaluates a rule on data of the given size. Returns the number of reads of the cancellation token (`looks`) and of enumerated keys
 * (`listed`).
 */
function stepsOf({ rule, self }: Case, size: number, engine: EngineName, view: View): { looks: number; listed: number } {
  const compiled = compile(view === 'schema' ? rule : rule.replaceAll('self.', 'dyn(self).'), fixture, { engine });
  if (!compiled.ok) throw new Error(compiled.error);
  const [looks, listed] = [new Looks(), new Listed()];
  const data = self(size, listed);
  const evaluation = compiled.program.evaluate({ self: VIEWS[view](data) }, { costLimit: Number.MAX_SAFE_INTEGER, token: looks });
  expect(evaluation.value instanceof CelError ? evaluation.value.message : evaluation.value, rule).toBe(true);
  return { looks: looks.count, listed: listed.count };
}

const GROWTHS = new Map(
  FUNCTIONS.flatMap(({ overloads }) => overloads.flatMap(({ id, growth }) => (growth === undefined ? [] : [[id, growth] as const]))),
);

it('each measured overload declares how its work grows', () => {
  const measured = [...new Set(CASES.flatMap(({ overloads }) => overloads))];
  expect(measured.filter((id) => !GROWTHS.has(id))).toEqual([]);
});

it('each overload of indexing is measured in rules, because no call by name exists', () => {
  const indexing = FUNCTIONS.filter(({ planned }) => planned === 'index' || planned === 'optionalIndex');
  const unmeasured = indexing
    .flatMap(({ overloads }) => overloads)
    .filter(({ id }) => !CASES.some(({ overloads }) => overloads.includes(id)));
  expect(unmeasured.map(({ id }) => id)).toEqual([]);
});

describe.each([
  ['compiled', 'schema'],
  ['interpreted', 'schema'],
  ['interpreted', 'json'],
  ['interpreted', 'typed'],
] as const)('the number of steps, %s over data by its %s', (engine, view) => {
  it.each(engine === 'compiled' ? CASES : sampled(CASES, 3))('grows as the function declares: $rule', (one) => {
    const { power } = GROWTHS.get(one.overloads[0] as string)!;
    const [small, double] = [stepsOf(one, one.sizes[0], engine, view), stepsOf(one, one.sizes[1], engine, view)];
    // The view lists the keys once and remembers them.
    expect(double.listed).toBeLessThanOrEqual(one.sizes[1]);
    expect(double.looks).toBeLessThanOrEqual(small.looks * 2 ** power * 1.2 + 20);
    // Growing work must poll the token often.
    if (power > 0) expect(double.looks).toBeGreaterThanOrEqual(one.sizes[1] / 2 ** 18 + 1);
  });
});
