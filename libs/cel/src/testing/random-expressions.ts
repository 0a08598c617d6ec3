import type { SchemaFixture } from './schema-fixture.ts';

/** A sequence of numbers below 1 that is the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** What random expressions are about. */
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
    o: { type: 'object', properties: { i: { type: 'integer' }, s: { type: 'string' } } },
    os: {
      type: 'array',
      items: { type: 'object', properties: { i: { type: 'integer' }, s: { type: 'string' }, value: { type: 'integer' } } },
    },
  },
};

type Kind = 'bool' | 'int' | 'double' | 'string' | 'ints' | 'strings';

/** How expressions mention the old value. */
export type OldSelf = 'unmentioned' | 'plain' | 'optional';

/** Expressions about the old value, by type. */
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

/** Well-typed expressions over {@link RANDOM_SCHEMA}, many of which fail for some object. */
export class RandomExpressions {
  private readonly random: () => number;
  /** Iteration variables in scope, by type. */
  private readonly scope: { readonly name: string; readonly kind: Kind | 'object' }[] = [];
  private names = 0;
  private readonly oldSelf: { readonly [kind in Kind]?: readonly string[] };

  constructor(seed: number, oldSelf: OldSelf = 'unmentioned') {
    this.random = seeded(seed);
    this.oldSelf = OLD_VALUES[oldSelf];
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)]!;
  }

  private variables(kind: Kind | 'object'): string[] {
    return this.scope.filter((variable) => variable.kind === kind).map(({ name }) => name);
  }

  /** An expression of a type, nested up to a depth. */
  of(kind: Kind, depth: number): string {
    const leaf = depth <= 0 || this.random() < 0.15;
    const variables = this.variables(kind);
    if (variables.length > 0 && this.random() < 0.3) return this.pick(variables);
    const of = (inner: Kind): string => this.of(inner, depth - 1);
    const objects = this.variables('object');
    const object = (field: string): string[] => objects.map((name) => `${name}.${field}`);
    const old = this.oldSelf[kind];
    if (leaf && old !== undefined && this.random() < 0.4) return this.pick(old);
    switch (kind) {
      case 'bool':
        if (leaf) return this.pick(['true', 'false', 'self.b', 'has(self.s)', 'has(self.o.i)', '(self.port == 5)', "(self.port == 'x')"]);
        return this.pick([
          () => `(${of('bool')} && ${of('bool')})`,
          () => `(${of('bool')} || ${of('bool')})`,
          () => `!(${of('bool')})`,
          () => `(${of('bool')} ? ${of('bool')} : ${of('bool')})`,
          () => `(${of('int')} ${this.pick(['<', '<=', '>', '>=', '==', '!='])} ${of('int')})`,
          () => `(${of('double')} ${this.pick(['<', '==', '!=', '>='])} ${of('double')})`,
          () => `(${of('int')} < ${of('double')})`,
          () => `(${of('string')} ${this.pick(['==', '!=', '<', '>='])} ${of('string')})`,
          () => `${of('string')}.${this.pick(['startsWith', 'endsWith', 'contains'])}(${of('string')})`,
          () => `${of('string')}.matches('^[a-z]+$')`,
          () => `(${of('int')} in ${of('ints')})`,
          () => `(${of('string')} in ['a', 'bc', ''])`,
          () => `(${of('string')} in self.m)`,
          () => `(${of('ints')} == ${of('ints')})`,
          () => `(${of('strings')} ${this.pick(['==', '!='])} ${of('strings')})`,
          () => this.fold('bool', depth),
          () => `${this.optionalInt(depth)}.hasValue()`,
          () => `${of('ints')}.isSorted()`,
          () => this.mapped('bool', depth),
        ])();
      case 'int':
        if (leaf)
          return this.pick([
            '0',
            '1',
            '-7',
            '9007199254740991',
            'self.i',
            'self.j',
            'self.o.i',
            "self.m['a']",
            'self.m.b',
            'self.is[0]',
            ...object('i'),
          ]);
        return this.pick([
          () => `(${of('int')} ${this.pick(['+', '-', '*', '/', '%'])} ${of('int')})`,
          () => `-(${of('int')})`,
          () => `size(${of('string')})`,
          () => `${of('ints')}.size()`,
          () => `self.is[${of('int')}]`,
          () => `(${of('bool')} ? ${of('int')} : ${of('int')})`,
          () => `int(${of('string')})`,
          () => `${of('ints')}.${this.pick(['sum', 'min', 'max'])}()`,
          () => `${this.optionalInt(depth)}.orValue(${of('int')})`,
          () => this.mapped('int', depth),
        ])();
      case 'double':
        if (leaf) return this.pick(['1.5', '-0.0', '2.0', 'self.d']);
        return this.pick([() => `(${of('double')} ${this.pick(['+', '-', '*', '/'])} ${of('double')})`, () => `double(${of('int')})`])();
      case 'string':
        if (leaf)
          return this.pick(["''", "'a'", "'bc'", "'👑é'", "'0123456789ab'", 'self.s', 'self.t', 'self.o.s', 'self.ss[0]', ...object('s')]);
        return this.pick([
          () => `(${of('string')} + ${of('string')})`,
          () => `string(${of('int')})`,
          () => `${of('string')}.lowerAscii()`,
          () => `${of('string')}.substring(${of('int')})`,
          () => `(${of('bool')} ? ${of('string')} : ${of('string')})`,
          () => `${of('strings')}.join(',')`,
        ])();
      case 'ints':
        if (leaf) return this.pick(['self.is', '[1, 2]', '[self.i]']);
        return this.pick([() => this.fold('ints', depth), () => `(${of('ints')} + ${of('ints')})`, () => `[${of('int')}, ${of('int')}]`])();
      case 'strings':
        return leaf ? this.pick(['self.ss', 'self.names', "['a']", '[self.s]', '(self.names + self.ss)']) : this.fold('strings', depth);
    }
  }

  private optionalInt(depth: number): string {
    const of = (kind: Kind): string => this.of(kind, depth - 1);
    return this.pick([
      () => 'self.?i',
      () => 'self.?o.i',
      () => `self.is[?${of('int')}]`,
      () => `self.?m[${of('string')}]`,
      () => `optional.of(${of('int')})`,
      () => `(${of('bool')} ? self.?j : optional.none())`,
      () => `self.?j.or(self.?i)`,
      () => `(${this.mapped('int', depth, false)})`,
    ])();
  }

  /** A value of a type made of what an optional may hold; without `unwraps`, the optional. */
  private mapped(kind: 'int' | 'bool', depth: number, unwraps = true): string {
    const name = `v${this.names++}`;
    const [optional, held] = this.pick([
      ['self.?i', 'int'],
      ['self.?s', 'string'],
      ['self.?o', 'object'],
      ['self.os[?1]', 'object'],
      ['self.?is', 'ints'],
      ['self.?m[?"a"]', 'int'],
    ] as const);
    this.scope.push({ name, kind: held });
    const body = this.of(kind, depth - 1);
    this.scope.pop();
    const mapped = this.random() < 0.8 ? `${optional}.optMap(${name}, ${body})` : `${optional}.optFlatMap(${name}, optional.of(${body}))`;
    return unwraps ? `${mapped}.orValue(${this.of(kind, depth - 1)})` : mapped;
  }

  private fold(kind: 'bool' | 'ints' | 'strings', depth: number): string {
    const name = `v${this.names++}`;
    const [range, element] = this.pick([
      ['self.is', 'int'],
      ['self.ss', 'string'],
      ['self.os', 'object'],
      ['self.m', 'string'],
      ['[3, 1, 2]', 'int'],
    ] as const);
    this.scope.push({ name, kind: element });
    const body = (inner: Kind): string => this.of(inner, depth - 1);
    const text =
      kind === 'bool'
        ? `${range}.${this.pick(['all', 'exists', 'exists_one'])}(${name}, ${body('bool')})`
        : this.random() < 0.5
          ? `${range}.map(${name}, ${body(kind === 'ints' ? 'int' : 'string')})`
          : `${range}.map(${name}, ${body('bool')}, ${body(kind === 'ints' ? 'int' : 'string')})`;
    this.scope.pop();
    return text;
  }
}
