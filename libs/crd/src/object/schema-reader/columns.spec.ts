import { CancellationFlag, utf8Bytes } from '#go';
import { MINORS } from '#kube';
import { describe, expect, it } from 'vitest';
import {
  UNLIMITED,
  widgetWithSpec as compiled,
  widgetText as body,
  widgetWrite as write,
  judgedAlike as judgedWith,
} from '../../testing/judged-widgets.ts';
import { validateObject } from '../validate-object.ts';

/**
 * Number of list elements in each document. It makes every document large enough to be read with columns, which store lists without a value
 * for each element.
 */
const MANY = 12_000;

/** Returns the schema of a widget's spec with two lists and the given rules. */
const holder = (rules: readonly string[], more: object = {}): object => ({
  type: 'object',
  properties: {
    ints: { type: 'array', items: { type: 'integer', minimum: -100, maximum: 999_999_999 }, ...more },
    texts: { type: 'array', maxItems: 2 * MANY, items: { type: 'string', minLength: 1, maxLength: 40 }, ...more },
    title: { type: 'string', default: 'none' },
  },
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

const ints = (element: (i: number) => string | number, count = MANY): string =>
  `"ints":[${Array.from({ length: count }, (_, i) => element(i)).join()}]`;
const texts = (element: (i: number) => string, count = MANY): string =>
  `"texts":[${Array.from({ length: count }, (_, i) => JSON.stringify(element(i))).join()}]`;

const judged = (rules: readonly string[], text: string): string => judgedWith(compiled(holder(rules)), text);

const RULES: readonly string[] = [
  'self.ints.all(e, e >= 0)',
  'self.ints.exists(e, e == 11999)',
  'self.ints.exists_one(e, e == 3)',
  'self.ints.map(e, e * 2).size() == self.ints.size()',
  'self.ints.filter(e, e % 2 == 0).size() > 0',
  'self.ints.sum() > 0 && self.ints.max() >= self.ints.min()',
  'self.ints.isSorted()',
  'self.ints[0] == 0 && self.ints[size(self.ints) - 1] > 5',
  'self.ints.all(i, e, e >= i)',
  'size(self.ints) > 0 || self.ints.size() == 0',
  "self.texts.all(e, e.startsWith('t'))",
  "self.texts.all(e, e.startsWith('text-') && e.endsWith('!'))",
  "self.texts.all(e, e.startsWith('t') || e.startsWith('a much longer affix than any'))",
  `self.texts.all(e, !e.startsWith('text-7!"'))`,
  'self.texts.all(e, size(e) < 20 && e.size() > 0)',
  "self.texts.all(e, e.matches('^t[a-z0-9!-]+$'))",
  "self.texts.exists(e, e == 'text-7!')",
  "self.texts.all(e, e != '' && e.contains('xt'))",
  "self.texts.all(e, e in ['text-0!', 'text-1!'] || e.size() > 6 || e > 'text-')",
  "self.texts.map(e, e.replace('text', 'note')).all(e, e.startsWith('note'))",
  "has(self.texts) && self.texts[3] == 'text-3!'",
  '!has(self.ints) || self.ints.size() == self.texts.size()',
  "self.title == 'none'",
];

describe('integer and text lists that the schema reader stores in columns', () => {
  const long = body(`${ints((i) => i)},${texts((i) => `text-${i}!`)}`);

  it.each(RULES)('are accepted by the generated reader, without the exact validation, under the rule %s', (rule) => {
    expect(judged([rule], long)).toBe('columns');
  });

  it('may contain texts with and after multibyte characters', () => {
    const rules = ["self.texts.all(e, e.startsWith('é') && e.endsWith('!') && e.size() < 20)", "self.texts.exists(e, e == 'é€-11999!')"];
    expect(judged(rules, body(`"title":"ß€",${ints((i) => i)},${texts((i) => `é€-${i}!`)}`))).toBe('columns');
    expect(judged(["self.texts.all(e, size(e) == 3 && e.matches('^é.é$'))"], body(`"title":"😀",${texts(() => 'é€é')}`))).toBe('columns');
  });

  it('may contain texts with escapes and after escapes', () => {
    const spelled = (text: string): string =>
      `"texts":[${Array.from({ length: MANY }, (_, i) => `"${i % 3 === 0 ? text : 't\\u00e9xt'}-${i}!"`).join()}]`;
    const rule = (text: string): string =>
      `self.texts.all(e, (e.startsWith('${text}-') || e.startsWith('téxt-')) && e.matches('^[^!]+!$') && size(e) < 20)`;
    for (const [written, meant] of [
      ['\\n\\t', '\\n\\t'],
      ['\\"\\\\\\/\\b\\f\\r', '"\\\\/\\b\\f\\r'],
      ['\\u20AC\\u20ac\\u0041', '€€A'],
      ['é\\u0000€', 'é\\u0000€'],
    ] as const)
      expect(
        judged([rule(meant), `self.texts.exists(e, e == '${meant}-9!')`], body(`"title":"\\n",${spelled(written)},${ints((i) => i)}`)),
      ).toBe('columns');
    const few = texts((i) => (i % 5000 === 7 ? `a "text" of\n${i}` : `text-${'x'.repeat(i % 20)}`));
    expect(judged([`self.texts.all(e, e.contains('"text"') || e.startsWith('text-') && !e.contains('"'))`], body(few))).toBe('columns');
  });

  describe('whose texts generated code compares with constants in place', () => {
    const some = [
      't',
      'te',
      'tf',
      'text-7',
      'text-8',
      'twelve chars',
      'thirteen char',
      'a text of more',
      'a text of mere',
      'text-seventeen-ch',
    ];
    const spellings = { ascii: some, utf8: [...some, 'té', 'tê', 'té€'], escaped: [...some, 't\n', 't\t', 'té\n'] };

    it.each(Object.entries(spellings))('give the exact result for %s texts', (_, elements) => {
      const text = body(texts((i) => elements[i % elements.length] as string));
      const constants = ['', 'x', 'te😀', 'a text of mor', ...spellings.utf8, ...spellings.escaped];
      const rules = [...new Set(constants)].map((constant) => {
        const times = Array.from({ length: MANY }, (__, i) => elements[i % elements.length]).filter((one) => one === constant).length;
        const [list, literal] = ['self.texts', JSON.stringify(constant)];
        return `${list}.filter(e, e == ${literal}).size() == ${times} && ${list}.filter(e, ${literal} != e).size() == ${MANY - times}`;
      });
      for (const rule of rules) expect(judged([rule], text), rule).toBe('columns');
    });

    it.each([1, 2, 8, 9])('give the exact result for %d constants', (count) => {
      const text = body(texts((i) => spellings.utf8[i % spellings.utf8.length] as string));
      for (let from = 0; from + count <= spellings.utf8.length; from++) {
        const constants = spellings.utf8.slice(from, from + count);
        const elements = Array.from({ length: MANY }, (_, i) => spellings.utf8[i % spellings.utf8.length] as string);
        const among = elements.filter((one) => constants.includes(one)).length;
        expect(judged([`self.texts.filter(e, e in ${JSON.stringify(constants)}).size() == ${among}`], text)).toBe('columns');
      }
    });
  });

  it('satisfy all rules at once, in every Kubernetes version', () => {
    for (const minor of MINORS) {
      const rules = RULES.filter((rule) => !rule.includes('.all(i, e'));
      expect(judgedWith(compiled(holder(rules), minor), long), minor).toBe('columns');
    }
  });

  it.each([
    "'text-3!' in self.texts",
    '3 in self.ints',
    'self.ints == self.ints',
    "self.texts.join(',') != ''",
    'self.ints + self.ints != []',
    'sets.contains(self.ints, [3])',
    "self == self && self.texts.all(e, e != '')",
    '[self].size() == 1',
    '[self.ints].size() == 1',
  ])('become arrays if a rule needs them as a value: %s', (rule) => {
    expect(judged([rule], long)).toBe('reader');
  });

  it('are checked by the rules of the list itself', () => {
    const rules = { 'x-kubernetes-validations': [{ rule: 'self.size() > 3 && self[0] == self[0]' }] };
    expect(judgedWith(compiled(holder([], rules)), long)).toBe('columns');
    const broken = { 'x-kubernetes-validations': [{ rule: 'self.size() < 3' }] };
    expect(judgedWith(compiled(holder([], broken)), long)).toBe('exactly');
  });

  describe('whose items have rules of their own', () => {
    const itemRules = (list: 'ints' | 'texts', rules: readonly object[]): object => {
      const spec = holder([`self.${list}.size() > 2`]) as { properties: Record<string, { items: object }> };
      const { items } = spec.properties[list] as { items: object };
      return {
        ...spec,
        properties: { ...spec.properties, [list]: { type: 'array', items: { ...items, 'x-kubernetes-validations': rules } } },
      };
    };
    const withRules = (list: 'ints' | 'texts', ...rules: readonly string[]): object =>
      itemRules(
        list,
        rules.map((rule) => ({ rule })),
      );

    it.each(['self >= 0', 'self < 100 || self % 2 == self % 2', '[1, 2].exists(o, o <= self + 2)', 'true', 'string(self) != "x"'])(
      'are checked in columns if the items are integers: %s',
      (rule) => {
        expect(judgedWith(compiled(withRules('ints', rule, 'self >= -5')), long)).toBe('columns');
      },
    );

    it.each(["self.startsWith('text-')", 'size(self) < 20', "self.matches('^t')", "self != 'never'", "self.split('-').all(p, p != '')"])(
      'are checked in columns if the items are texts: %s',
      (rule) => {
        expect(judgedWith(compiled(withRules('texts', rule, "self.endsWith('!')")), long)).toBe('columns');
      },
    );

    it('are checked with any spelling of the texts, in consecutive documents', () => {
      const definition = compiled(withRules('texts', "self.startsWith('te') && self.endsWith('-!') && size(self) < 20"));
      for (const middle of ['xt', 'é€', '\n"', 'xt', '\n', 'é\n', 'xt'])
        expect(judgedWith(definition, body(texts((i) => `te${middle}${i}-!`)))).toBe('columns');
      const compared = compiled(withRules('texts', "self != '' && (self == 'te-!' || self.size() > 4)"));
      for (const middle of ['', 'xt', 'é€']) expect(judgedWith(compared, body(texts(() => `te${middle}-!`)))).toBe('columns');
      for (const middle of ['xt', 'é', '\n'])
        for (const [first, last] of ['te-?', 'ta-!', 'é€-!', 'te€!'].map((ends) => [ends.slice(0, 2), ends.slice(2)] as const))
          expect(judgedWith(definition, body(texts((i) => (i === 500 ? `${first}${middle}${last}` : `te${middle}-!`))))).toBe('exactly');
    });

    it('are left to the exact code if a rule is false or fails for an item', () => {
      expect(judgedWith(compiled(withRules('ints', 'self < 11999')), long)).toBe('exactly');
      expect(judgedWith(compiled(withRules('ints', '5 / self >= 0')), long)).toBe('exactly');
      expect(judgedWith(compiled(withRules('texts', "self == 'text-7!'")), long)).toBe('exactly');
    });

    it('are checked without an old value', () => {
      expect(judgedWith(compiled(itemRules('ints', [{ rule: 'self == oldSelf' }])), long)).toBe('columns');
      const optional = { rule: 'oldSelf.orValue(self) == self', optionalOldSelf: true };
      expect(judgedWith(compiled(itemRules('ints', [optional])), long)).toBe('reader');
    });

    it('obey the cost limit of each item and the budget of the object', () => {
      const definition = compiled(withRules('texts', "self.startsWith('text-') && self.contains('-')"));
      for (const costLimit of [1, 2, 3, 4, 5, 6, 7, 8, 20]) judgedWith(definition, long, { ...UNLIMITED, costLimit });
      expect(judgedWith(definition, long, { ...UNLIMITED, costLimit: 20 })).toBe('columns');
      const verdict = validateObject(definition, write(long), UNLIMITED);
      const cost = ('cancelled' in verdict ? undefined : verdict.cost.cel) ?? 0;
      for (const budget of [cost - 1, cost, cost + 1]) judgedWith(definition, long, { ...UNLIMITED, budget });
    });
  });

  it.each<readonly [string, string]>([
    ['white space', body(`${ints((i) => ` ${i} `)},${texts((i) => `text-${i}!`)}`).replaceAll('","', '" ,\n\t"')],
    ['negative numbers', body(ints((i) => -(i % 90), 3 * MANY))],
    ['integers of every length', body(ints((i) => 10 ** (i % 9)))],
    ['long texts', body(texts((i) => `${'x'.repeat(30)}${i}`))],
    ['texts of one character, then long ones', body(texts((i) => (i < 40 ? 't' : `text-${'y'.repeat(30)}`)))],
    ['a list of one', body(`${ints(() => 7, 1)},${texts((i) => `text-${i}!`)}`)],
  ])('are stored in columns with %s', (_, text) => {
    expect(judged([], text)).toBe('columns');
  });

  it.each<readonly [string, string, string]>([
    ['a text that is too long', 'exactly', body(texts((i) => (i === 500 ? 'z'.repeat(41) : 'text')))],
    ['an empty text', 'exactly', body(texts((i) => (i === 500 ? '' : 'text')))],
    ['a number that is too large', 'exactly', body(ints((i) => (i === 500 ? 1_000_000_000 : i)))],
    ['a number that is too small', 'exactly', body(ints((i) => (i === 500 ? -101 : 100_000)))],
    ['too many texts', 'exactly', body(texts(() => 'text', 2 * MANY + 1))],
    ['a text among numbers', 'exactly', body(ints((i) => (i === 500 ? '"7"' : 100_000)))],
    ['a number among texts', 'exactly', body(`${texts(() => 'text').slice(0, -1)},7]`)],
    ['a null', 'exactly', body(ints((i) => (i === 500 ? 'null' : 100_000)))],
    ['a fraction', 'exactly', body(ints((i) => (i === 500 ? '1.5' : 100_000)))],
    ['an integral float', 'reader', body(ints((i) => (i === 500 ? '1.0' : 100_000)))],
    ['a leading zero', 'exactly', body(ints((i) => (i === 500 ? '07' : 100_000)))],
    ['minus zero', 'columns', body(ints((i) => (i === 500 ? '-0' : 100_000)))],
    ['a list in a list', 'exactly', body(ints((i) => (i === 500 ? '[7]' : 100_000)))],
    ['no end', 'exactly', body(ints((i) => i)).slice(0, -3)],
    ['a comma at the end', 'exactly', body(ints((i) => i)).replace(']', ',]')],
    ['a control character', 'exactly', body(texts(() => 'text')).replace('"text"', '"te\u0001t"')],
    [
      'a control character in a long text',
      'exactly',
      body(texts(() => 'x'.repeat(30))).replace(`${'x'.repeat(30)}"]`, `${'x'.repeat(29)}\u0001"]`),
    ],
    ['an escape', 'columns', body(texts((i) => (i === 500 ? 'a\nb' : 'text-7')))],
    ['a text that is short without its escapes', 'columns', body(texts((i) => (i === 500 ? '\n'.repeat(40) : 'text-7')))],
    ['a text that is too long without its escapes', 'exactly', body(texts((i) => (i === 500 ? '\n'.repeat(41) : 'text-7')))],
    ['an escaped character of two units', 'reader', body(texts(() => 'text')).replace('"text"', '"\\ud83d\\ude00"')],
    ['an escape that ends early', 'exactly', body(texts(() => 'text')).replace('"text"', '"\\u00e"')],
    ['an escaped quote at the end', 'exactly', body(texts(() => 'text')).replace('text"]', 'text\\"]')],
    ['an escape, then an element of another kind', 'exactly', body(`${texts((i) => (i === 500 ? 'a\nb' : 'text-7')).slice(0, -1)},7]`)],
    ['a character of two bytes', 'columns', body(texts((i) => (i === 500 ? 'é' : 'text-7')))],
    ['characters of four bytes', 'reader', body(texts((i) => (i === 500 ? '😀'.repeat(40) : 'text-7')))],
    ['too many characters of two bytes', 'exactly', body(texts((i) => (i === 500 ? 'é'.repeat(41) : 'text-7')))],
    ['an escape that is none', 'exactly', body(texts(() => 'text')).replace('"text"', '"te\\xt"')],
    ['half a character', 'exactly', body(texts(() => 'text')).replace('"text"', '"\\ud800"')],
    ['an empty list', 'columns', body(`"ints":[],${texts((i) => `text-${i}!`)}`)],
    ['a field twice', 'exactly', body(`${ints((i) => i)},${ints((i) => i)},"title":"${'x'.repeat(9)}"`)],
  ])('get the exact verdict with %s', (_, how, text) => {
    expect(judged([], text)).toBe(how);
  });

  it('are left to the exact code if a rule rejects them', () => {
    expect(judged(['self.ints.all(e, e < 11999)'], long)).toBe('exactly');
    expect(judged(["self.texts.all(e, e.endsWith('x'))"], long)).toBe('exactly');
  });

  it('are left to the exact code if a rule fails', () => {
    expect(judged(['self.ints[20000] > 0'], long)).toBe('exactly');
    expect(judged(['self.ints.all(e, 5 / e > 0)'], long)).toBe('exactly');
  });

  it('are charged exactly, up to the cost limit and the budget', () => {
    const definition = compiled(holder(["self.texts.all(e, e.startsWith('t') && e.size() > 3)", 'self.ints.sum() > 0']));
    const verdict = validateObject(definition, write(long), UNLIMITED);
    const cost = ('cancelled' in verdict ? undefined : verdict.cost.cel) ?? 0;
    for (const budget of [cost - 1, cost, cost + 1, cost + 2]) judgedWith(definition, long, { ...UNLIMITED, budget });
    for (const costLimit of [10, cost / 2, cost - MANY, cost]) judgedWith(definition, long, { ...UNLIMITED, costLimit });
  });

  it('have no old value in rules on a create', () => {
    const spec = holder([]) as { 'x-kubernetes-validations': object[] };
    spec['x-kubernetes-validations'].push({ rule: 'self.ints == oldSelf.ints' });
    expect(judgedWith(compiled(spec), long)).toBe('columns');
    spec['x-kubernetes-validations'].push({ rule: 'oldSelf.hasValue() || self.ints.size() > 3', optionalOldSelf: true });
    expect(judgedWith(compiled(spec), long)).toBe('reader');
  });

  it('stay available in an accepted object after another document was read', () => {
    const definition = compiled(holder(['self.ints.all(e, e >= 0)']));
    judgedWith(definition, long);
    const first = validateObject(definition, write(utf8Bytes(long)), UNLIMITED);
    judgedWith(definition, body(ints((i) => 100_000 + i)));
    if ('cancelled' in first || !first.accepted) throw new Error('refused');
    const spec = first.object['spec'] as { ints: number[]; texts: string[] };
    expect(spec.ints.slice(0, 3)).toEqual([0, 1, 2]);
    spec.ints = [5];
    expect(spec.ints).toEqual([5]);
    expect(Object.keys(spec)).toEqual(['ints', 'texts', 'title']);
    spec.texts = ['own'];
    expect(structuredClone(first.object['spec'])).toEqual({ ints: [5], texts: ['own'], title: 'none' });
  });

  it('are no longer stored in columns after several unsuitable documents', () => {
    const definition = compiled(holder([]));
    const odd = body(texts((i) => (i === 500 ? '😀' : 'text-7')));
    for (let n = 0; n < 4; n++) expect(judgedWith(definition, odd)).toBe('reader');
    expect(judgedWith(definition, long)).toBe('reader');
  });

  it('are not stored in columns below lists, below maps and below objects with keywords for the whole object', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const inner = { type: 'object', properties: { texts: list } };
    const long2 = texts((i) => `text-${i}!`);
    const rule = { 'x-kubernetes-validations': [{ rule: 'has(self.at)' }] };
    for (const [schema, text] of [
      [{ type: 'array', items: inner }, `[{${long2}}]`],
      [{ type: 'object', additionalProperties: inner }, `{"a":{${long2}}}`],
      [{ ...inner, minProperties: 1 }, `{${long2}}`],
      [{ ...inner, anyOf: [{ required: ['texts'] }] }, `{${long2}}`],
    ] as const)
      expect(judgedWith(compiled({ type: 'object', properties: { at: schema }, ...rule }), body(`"at":${text}`))).toBe('reader');
  });

  it('stop their rules when the validation is cancelled', () => {
    const flag = new CancellationFlag();
    flag.cancel();
    const definition = compiled(holder(['self.ints.all(e, e >= 0)']));
    judgedWith(definition, long);
    expect(validateObject(definition, write(utf8Bytes(long)), { ...UNLIMITED, token: flag })).toEqual({ cancelled: true });
  });

  it.each(RULES.filter((rule) => !rule.includes('11999')))('need a number of steps that grows linearly: %s', (rule) => {
    const definition = compiled(holder([rule]));
    const looksAt = (count: number): number => {
      const text = body(`${ints((i) => i, count)},${texts((i) => `text-${i}!`, count)}`);
      expect(judgedWith(definition, text)).toBe('columns');
      let looks = 0;
      const token = {
        get cancelled(): boolean {
          looks += 1;
          return false;
        },
      };
      expect(validateObject(definition, write(utf8Bytes(text)), { ...UNLIMITED, token })).toMatchObject({ accepted: true });
      return looks;
    };
    expect(looksAt(2 * MANY)).toBeLessThanOrEqual(looksAt(MANY) * 2 * 1.2 + 20);
  });
});
