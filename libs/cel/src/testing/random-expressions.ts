import { seededCongruence } from '../../../../testing/seeded-random.ts';
import type { SchemaFixture } from './compile-fixture.ts';

/** Schema of the objects that random expressions read. */
export const RANDOM_SCHEMA: SchemaFixture = {
  type: 'object',
  properties: {
    i: { type: 'integer' },
    j: { type: 'integer' },
    d: { type: 'number' },
    s: { type: 'string' },
    t: { type: 'string' },
    b: { type: 'boolean' },
    port: { intOrString: true },
    is: { type: 'array', items: { type: 'integer' } },
    ss: { type: 'array', items: { type: 'string' } },
    names: { type: 'array', listType: 'set', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
    constructor: { type: 'integer' },
    hasOwnProperty: { type: 'string' },
    ['__proto__']: { type: 'integer' },
    when: { type: 'string', format: 'date-time' },
    wait: { type: 'string', format: 'duration' },
    raw: { type: 'string', format: 'byte' },
    maybe: { type: 'array', items: { type: 'string', nullable: true } },
    o: { type: 'object', properties: { i: { type: 'integer' }, s: { type: 'string' } } },
    os: {
      type: 'array',
      items: { type: 'object', properties: { i: { type: 'integer' }, s: { type: 'string' }, value: { type: 'integer' } } },
    },
  },
};

type Kind = 'bool' | 'int' | 'double' | 'string' | 'ints' | 'strings' | 'map' | 'dyn' | 'time' | 'duration' | 'bytes' | 'uint';

/** Use of `oldSelf` in random expressions: it is not mentioned, a plain value, or an optional. */
export type OldSelf = 'unmentioned' | 'plain' | 'optional';

/** Expressions that read the old object, by their result type. */
const OLD_VALUES: Readonly<Record<OldSelf, { readonly [kind in Kind]?: readonly string[] }>> = {
  unmentioned: {},
  plain: { bool: ['oldSelf == self', 'has(oldSelf.o)'], int: ['oldSelf.i'], string: ['oldSelf.s'], strings: ['oldSelf.names'] },
  optional: {
    bool: ['oldSelf.hasValue()', 'oldSelf.value() == self', 'oldSelf.optMap(o, o == self).orValue(true)'],
    int: ['oldSelf.value().i', 'oldSelf.i.orValue(2)', 'oldSelf.?o.i.orValue(self.j)'],
    string: ['oldSelf.value().s'],
    strings: ['oldSelf.value().names'],
  },
};

/** Generator of well-typed expressions over {@link RANDOM_SCHEMA}. Many of the expressions fail for at least one object. */
export class RandomExpressions {
  readonly #random: () => number;
  /** Iteration variables in scope, with their types. */
  readonly #scope: { readonly name: string; readonly kind: Kind | 'object' }[] = [];
  #names = 0;
  readonly #oldSelf: { readonly [kind in Kind]?: readonly string[] };

  constructor(seed: number, oldSelf: OldSelf = 'unmentioned') {
    this.#random = seededCongruence(seed);
    this.#oldSelf = OLD_VALUES[oldSelf];
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)]!;
  }

  #variables(kind: Kind | 'object'): string[] {
    return this.#scope.filter((variable) => variable.kind === kind).map(({ name }) => name);
  }

  /** Returns a random expression whose result has the given type. `depth` is the maximum nesting depth. */
  of(kind: Kind, depth: number): string {
    const leaf = depth <= 0 || this.#random() < 0.15;
    const variables = this.#variables(kind);
    if (variables.length > 0 && this.#random() < 0.3) return this.#pick(variables);
    const of = (inner: Kind): string => this.of(inner, depth - 1);
    const objects = this.#variables('object');
    const object = (field: string): string[] => objects.map((name) => `${name}.${field}`);
    const old = this.#oldSelf[kind];
    if (leaf && old !== undefined && this.#random() < 0.4) return this.#pick(old);
    switch (kind) {
      case 'bool':
        if (leaf) return this.#pick(['true', 'false', 'self.b', 'has(self.s)', 'has(self.o.i)', '(self.port == 5)', "(self.port == 'x')"]);
        return this.#pick([
          () => `(${of('bool')} && ${of('bool')})`,
          () => `(${of('bool')} || ${of('bool')})`,
          () => `!(${of('bool')})`,
          () => `(${of('bool')} ? ${of('bool')} : ${of('bool')})`,
          () => `(${of('int')} ${this.#pick(['<', '<=', '>', '>=', '==', '!='])} ${of('int')})`,
          () => `(${of('double')} ${this.#pick(['<', '==', '!=', '>='])} ${of('double')})`,
          () => `(${of('int')} < ${of('double')})`,
          () => `(${of('string')} ${this.#pick(['==', '!=', '<', '>='])} ${of('string')})`,
          () => `${of('string')}.${this.#pick(['startsWith', 'endsWith', 'contains'])}(${of('string')})`,
          () => `${of('string')}.matches('^[a-z]+$')`,
          () => `(${of('int')} in ${of('ints')})`,
          () => `(${of('string')} in ['a', 'bc', ''])`,
          () => `(${of('string')} in self.m)`,
          () => `(${of('ints')} == ${of('ints')})`,
          () => `(${of('strings')} ${this.#pick(['==', '!='])} ${of('strings')})`,
          () => this.#fold('bool', depth),
          () => `${this.#optionalInt(depth)}.hasValue()`,
          () => `${of('ints')}.isSorted()`,
          () => `(${of('map')} ${this.#pick(['==', '!='])} ${of('map')})`,
          () => `(${of('string')} in ${of('map')})`,
          () => `has(${of('map')}.a)`,
          () => `has(self.?o.i)`,
          () => `has(dyn(${of('map')}).b)`,
          () => `(dyn(${of('dyn')}) ${this.#pick(['==', '!=', '<', '>='])} ${of('dyn')})`,
          () => `(${of('int')} in dyn(${of('dyn')}))`,
          () => `(${of('time')} ${this.#pick(['<', '==', '>='])} ${of('time')})`,
          () => `(${of('duration')} ${this.#pick(['<', '==', '>='])} ${of('duration')})`,
          () => `(${of('bytes')} ${this.#pick(['<', '==', '!='])} ${of('bytes')})`,
          () => `(${of('uint')} ${this.#pick(['<', '==', '!='])} ${of('uint')})`,
          () => this.#twoVariableTest(depth),
          () => `${of('strings')}.sort().isSorted()`,
          () => `dyn(${this.#pick([of('ints'), of('map'), of('strings')])}).all(v${this.#names}, ${of('bool')})`,
          () => `sets.${this.#pick(['contains', 'equivalent', 'intersects'])}(${of('ints')}, ${of('ints')})`,
          () => this.#mapped('bool', depth),
        ])();
      case 'int':
        if (leaf)
          return this.#pick([
            '0',
            '1',
            '-7',
            '9007199254740991',
            '9007199254740993',
            '9223372036854775807',
            'self.constructor',
            'self.__underscores__proto__underscores__',
            "self.m['__proto__']",
            "self.m['constructor']",
            'self.m.hasOwnProperty',
            'self.i',
            'self.j',
            'self.o.i',
            "self.m['a']",
            'self.m.b',
            'self.is[0]',
            ...object('i'),
          ]);
        return this.#pick([
          () => `(${of('int')} ${this.#pick(['+', '-', '*', '/', '%'])} ${of('int')})`,
          () => `-(${of('int')})`,
          () => `size(${of('string')})`,
          () => `${of('ints')}.size()`,
          () => `self.is[${of('int')}]`,
          () => `(${of('bool')} ? ${of('int')} : ${of('int')})`,
          () => `int(${of('string')})`,
          () => `${of('ints')}.${this.#pick(['sum', 'min', 'max'])}()`,
          () => `${this.#optionalInt(depth)}.orValue(${of('int')})`,
          () => this.#mapped('int', depth),
          () => `${of('map')}[${of('string')}]`,
          () => `${of('map')}.a`,
          () => `${of('map')}.size()`,
          () => `(${of('bool')} ? ${of('map')} : ${of('map')}).a`,
          () => `(${of('bool')} ? self.os[1] : self.os[0]).i`,
          () => `${of('ints')}[${of('int')}]`,
          () => `[?${this.#optionalInt(depth)}, ${of('int')}].size()`,
          () => `${of('time')}.${this.#pick(['getHours', 'getFullYear', 'getDayOfWeek'])}()`,
          () => `${of('duration')}.getSeconds()`,
          () => `size(${of('bytes')})`,
          () => `int(${of('uint')})`,
          () => `int(${of('double')})`,
          () => `${of('ints')}.${this.#pick(['indexOf', 'lastIndexOf'])}(${of('int')})`,
          () => `${of('string')}.indexOf(${of('string')})`,
          () => `lists.range(${of('int')} % 20).size()`,
        ])();
      case 'double':
        if (leaf) return this.#pick(['1.5', '-0.0', '2.0', 'self.d', "double('NaN')", "double('Infinity')", 'double(3)', '1e300']);
        return this.#pick([
          () => `(${of('double')} ${this.#pick(['+', '-', '*', '/'])} ${of('double')})`,
          () => `-(${of('double')})`,
          () => `double(${of('int')})`,
          () => `double(${of('string')})`,
        ])();
      case 'dyn':
        if (leaf) return this.#pick(['self.port', 'dyn(self.i)', 'dyn(self.s)', 'dyn(null)', 'dyn(1u)', 'dyn(1.0)', 'dyn(self.maybe)']);
        return this.#pick([
          () => `dyn(${this.of(this.#pick(['bool', 'int', 'double', 'string', 'ints', 'map', 'bytes'] as const), depth - 1)})`,
          () => `dyn(${of('ints')})[${of('int')}]`,
          () => `dyn(${of('map')})[${of('dyn')}]`,
          () => `dyn(self).o.i`,
          () => `dyn(self.os)[0].s`,
          () => `(${of('bool')} ? ${of('dyn')} : ${of('dyn')})`,
          () => `dyn(${of('map')})[?${of('string')}].orValue(dyn(${of('int')}))`,
          () => `[dyn(${of('dyn')}), dyn(${of('dyn')})][0]`,
        ])();
      case 'map':
        if (leaf) return this.#pick(['self.m', '{}', "{'a': 1}", "{'a': self.i, '__proto__': 2}", "{'constructor': self.j}"]);
        return this.#pick([
          () => `{'a': ${of('int')}, ${of('string')}: ${of('int')}}`,
          () => `{?'a': ${this.#optionalInt(depth)}, 'b': ${of('int')}}`,
          () => `(${of('bool')} ? ${of('map')} : ${of('map')})`,
          () => this.#transformed(depth),
        ])();
      case 'time':
        if (leaf) return this.#pick(['self.when', "timestamp('2024-02-29T12:00:00Z')", 'timestamp(0)']);
        return this.#pick([() => `(${of('time')} ${this.#pick(['+', '-'])} ${of('duration')})`, () => `timestamp(${of('int')} + 0)`])();
      case 'duration':
        if (leaf) return this.#pick(['self.wait', "duration('90s')", "duration('-1h')"]);
        return this.#pick([
          () => `(${of('duration')} ${this.#pick(['+', '-'])} ${of('duration')})`,
          () => `(${of('time')} - ${of('time')})`,
        ])();
      case 'bytes':
        if (leaf) return this.#pick(['self.raw', "b'a'", "b''", "b'\\xff\\x00'"]);
        return this.#pick([() => `(${of('bytes')} + ${of('bytes')})`, () => `bytes(${of('string')})`])();
      case 'uint':
        if (leaf) return this.#pick(['0u', '7u', '18446744073709551615u']);
        return this.#pick([() => `(${of('uint')} ${this.#pick(['+', '-', '*', '/', '%'])} ${of('uint')})`, () => `uint(${of('int')})`])();
      case 'string':
        if (leaf)
          return this.#pick(["''", "'a'", "'bc'", "'👑é'", "'0123456789ab'", 'self.s', 'self.t', 'self.o.s', 'self.ss[0]', ...object('s')]);
        return this.#pick([
          () => `(${of('string')} + ${of('string')})`,
          () => `string(${of('int')})`,
          () => `${of('string')}.lowerAscii()`,
          () => `${of('string')}.substring(${of('int')})`,
          () => `(${of('bool')} ? ${of('string')} : ${of('string')})`,
          () => `${of('strings')}.join(',')`,
          () => `string(${this.of(this.#pick(['double', 'bool', 'uint', 'duration', 'time', 'bytes'] as const), depth - 1)})`,
          () => `${of('string')}.find('[a-z]+')`,
          () => `${of('string')}.replace(${of('string')}, 'zz')`,
          () => `'%s is %d'.format([${of('string')}, ${of('int')}])`,
          () => `${of('strings')}[${of('int')}]`,
          () => `${of('string')}.charAt(${of('int')})`,
        ])();
      case 'ints':
        if (leaf) return this.#pick(['self.is', '[1, 2]', '[self.i]', '[9223372036854775807, 1]']);
        return this.#pick([
          () => this.#fold('ints', depth),
          () => `(${of('ints')} + ${of('ints')})`,
          () => `[${of('int')}, ${of('int')}]`,
          () => `[${of('int')}, ?${this.#optionalInt(depth)}]`,
          () => `${of('ints')}.${this.#pick(['sort', 'distinct', 'reverse'])}()`,
          () => `${of('ints')}.slice(0, ${of('int')})`,
          () => `[${of('ints')}, ${of('ints')}].flatten()`,
          () => this.#sorted('ints', depth),
          () => this.#transformedList('ints', depth),
          () => `${of('map')}.map(k${this.#names}, ${of('int')})`,
          () => `(${of('bool')} ? ${of('ints')} : ${of('ints')})`,
        ])();
      case 'strings':
        if (leaf) return this.#pick(['self.ss', 'self.names', "['a']", '[self.s]', '(self.names + self.ss)']);
        return this.#pick([
          () => this.#fold('strings', depth),
          () => `(${of('strings')} + ${of('strings')})`,
          () => `${of('strings')}.${this.#pick(['sort', 'distinct', 'reverse'])}()`,
          () => `${of('string')}.split(${this.#pick(["''", "','", "'a'"])})`,
          () => `${of('string')}.findAll('[a-z]', ${of('int')} % 5)`,
          () => this.#sorted('strings', depth),
          () => this.#transformedList('strings', depth),
          () => this.#keys(depth),
        ])();
    }
  }

  /** Calls `write` while the given variables are in scope. */
  #binding<T>(variables: readonly { readonly name: string; readonly kind: Kind | 'object' }[], write: () => T): T {
    this.#scope.push(...variables);
    const result = write();
    this.#scope.length -= variables.length;
    return result;
  }

  #fresh(): string {
    return `v${this.#names++}`;
  }

  /** Returns a range expression for a comprehension with two variables, and the types of these variables. */
  #pairs(depth: number): readonly [range: string, first: Kind, second: Kind | 'object'] {
    return this.#pick([
      () => [this.of('ints', depth - 1), 'int', 'int'] as const,
      () => [this.of('strings', depth - 1), 'int', 'string'] as const,
      () => ['self.os', 'int', 'object'] as const,
      () => [this.of('map', depth - 1), 'string', 'int'] as const,
    ])();
  }

  #overPairs(depth: number, write: (range: string, first: string, second: string) => string): string {
    const [range, firstKind, secondKind] = this.#pairs(depth);
    const [first, second] = [this.#fresh(), this.#fresh()];
    const variables = [
      { name: first, kind: firstKind },
      { name: second, kind: secondKind },
    ];
    return this.#binding(variables, () => write(range, first, second));
  }

  #twoVariableTest(depth: number): string {
    const macro = this.#pick(['all', 'exists', 'existsOne']);
    return this.#overPairs(depth, (range, first, second) => `${range}.${macro}(${first}, ${second}, ${this.of('bool', depth - 1)})`);
  }

  #transformed(depth: number): string {
    return this.#overPairs(depth, (range, first, second) => {
      const filter = this.#random() < 0.4 ? `${this.of('bool', depth - 1)}, ` : '';
      const value = this.of('int', depth - 1);
      return this.#random() < 0.5
        ? `${range}.transformMapEntry(${first}, ${second}, ${filter}{string(${first}): ${value}})`
        : `${range}.transformMap(${first}, ${second}, ${filter}${value}).transformMapEntry(a, b, {string(a): b})`;
    });
  }

  #transformedList(kind: 'ints' | 'strings', depth: number): string {
    return this.#overPairs(depth, (range, first, second) => {
      const filter = this.#random() < 0.4 ? `${this.of('bool', depth - 1)}, ` : '';
      return `${range}.transformList(${first}, ${second}, ${filter}${this.of(kind === 'ints' ? 'int' : 'string', depth - 1)})`;
    });
  }

  #sorted(kind: 'ints' | 'strings', depth: number): string {
    const name = this.#fresh();
    const range = this.of(kind, depth - 1);
    const key = this.#pick(['int', 'string', 'double', 'bool'] as const);
    const variable = { name, kind: kind === 'ints' ? ('int' as const) : ('string' as const) };
    return this.#binding([variable], () => `(${range}).sortBy(${name}, ${this.of(key, depth - 1)})`);
  }

  #keys(depth: number): string {
    const name = this.#fresh();
    const range = this.of('map', depth - 1);
    return this.#binding([{ name, kind: 'string' }], () => `${range}.map(${name}, ${this.of('string', depth - 1)})`);
  }

  #optionalInt(depth: number): string {
    const of = (kind: Kind): string => this.of(kind, depth - 1);
    return this.#pick([
      () => 'self.?i',
      () => 'self.?o.i',
      () => `self.is[?${of('int')}]`,
      () => `self.?m[${of('string')}]`,
      () => `optional.of(${of('int')})`,
      () => `(${of('bool')} ? self.?j : optional.none())`,
      () => `self.?j.or(self.?i)`,
      () => `(${this.#mapped('int', depth, false)})`,
    ])();
  }

  /**
   * Returns an expression that applies an expression to the value in an optional. The result is a plain value of the type `kind` if
   * `unwraps` is true, and an optional if it is false.
   */
  #mapped(kind: 'int' | 'bool', depth: number, unwraps = true): string {
    const name = `v${this.#names++}`;
    const [optional, held] = this.#pick([
      ['self.?i', 'int'],
      ['self.?s', 'string'],
      ['self.?o', 'object'],
      ['self.os[?1]', 'object'],
      ['self.?is', 'ints'],
      ['self.?m[?"a"]', 'int'],
    ] as const);
    this.#scope.push({ name, kind: held });
    const body = this.of(kind, depth - 1);
    this.#scope.pop();
    const mapped = this.#random() < 0.8 ? `${optional}.optMap(${name}, ${body})` : `${optional}.optFlatMap(${name}, optional.of(${body}))`;
    return unwraps ? `${mapped}.orValue(${this.of(kind, depth - 1)})` : mapped;
  }

  #fold(kind: 'bool' | 'ints' | 'strings', depth: number): string {
    const name = `v${this.#names++}`;
    const [range, element] = this.#pick([
      ['self.is', 'int'],
      ['self.ss', 'string'],
      ['self.os', 'object'],
      ['self.m', 'string'],
      ['[3, 1, 2]', 'int'],
    ] as const);
    this.#scope.push({ name, kind: element });
    const body = (inner: Kind): string => this.of(inner, depth - 1);
    const text =
      kind === 'bool'
        ? `${range}.${this.#pick(['all', 'exists', 'exists_one'])}(${name}, ${body('bool')})`
        : this.#random() < 0.5
          ? `${range}.map(${name}, ${body(kind === 'ints' ? 'int' : 'string')})`
          : `${range}.map(${name}, ${body('bool')}, ${body(kind === 'ints' ? 'int' : 'string')})`;
    this.#scope.pop();
    return text;
  }
}
