import { describe, expect, it } from 'vitest';
import { generateFor } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';
import { seededCongruence } from '../../../../../testing/seeded-random.ts';

/** Number of rules with hostile texts. For longer runs, set CEL_INJECTION to another number. */
const RULES = Number(process.env['CEL_INJECTION'] ?? 1_000);

const SEED = Number(process.env['CEL_INJECTION_SEED'] ?? 7);

/** All words that generated code may contain, besides generated names, numbers and punctuation. */
const WORDS = new Set(
  `use strict const let new return function rule if else for break undefined null true false typeof instanceof new K self oldSelf limit token run
  cost object string number boolean error first second fail frozen set delete concat NaN Infinity Array isArray Number isInteger isSafeInteger Math min ceil trunc Object keys cancelled Set length value
  charCodeAt startsWith endsWith includes test has size at get push`.split(/\s+/),
);
const GENERATED_NAME = /^(?:item|key|index|list|map|found|count|error|Failed|Loop|value|test|out|k)\d+$/;
const CHARACTERS = /^[\w\s"'[\](){};:,.=<>!&|?+\-*/%]*$/;

/** Returns the words in generated source that do not belong to code templates and are not generated names. */
function foreign(source: string): string[] {
  const words = (source.match(/[A-Za-z_$][\w$]*/g) ?? []).filter((word) => !WORDS.has(word) && !GENERATED_NAME.test(word));
  return CHARACTERS.test(source) ? words : [...words, 'a character'];
}

const HOSTILE = [
  'x"]; process.exit(1); //',
  "'); alert(1); ('",
  '${process}',
  '`',
  '\\u0022',
  '\u2028process',
  '</script>',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '*/ evil() /*',
  'K[0]',
  '\0',
];

const literal = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\0', '\\000')}'`;

/** Number of hostile texts that are tested with the same schema. The schema uses one of these texts as a name. */
const TEXTS_PER_SCHEMA = 20;
const MAP_OF_STRINGS: SchemaFixture = { type: 'object', additionalProperties: { type: 'string' } };

/** Templates of expressions that together cover all positions in which a client's text can occur. */
const TEMPLATES: readonly ((quoted: string) => string)[] = [
  (text) => `self.s == ${text} || self.s.startsWith(${text}) || self.s in [${text}]`,
  (text) => `self.m[${text}] == self.s && self.m[?${text}].hasValue()`,
  (text) => `{${text}: self.s, 'b': ${text}}[${text}] == ${text}`,
  (text) => `{?${text}: self.?s}.all(k, v, v != ${text})`,
  (text) => `self.m.transformMap(k, v, v == ${text}, ${text} + v).size() > 0`,
  (text) => `self.m.all(k, dyn(k) != ${text}) || [${text}, self.s].exists(x, x.contains(${text}))`,
  (text) => `[self.s, ${text}].sortBy(e, e + ${text}).join(${text}) != ''`,
  (text) => `dyn({${text}: 1})[${text}] == 1 && bytes(${text}) == b'' && self.s.split(${text}).size() > 0`,
  (text) => `self.s.replace(${text}, self.s).endsWith(${text}) ? ${text} < self.s : self.s.indexOf(${text}) > 0`,
];

describe('generated code contains no text of a client:', () => {
  it.each(HOSTILE)('the text %j as a constant, a key, a pattern and a property', (text) => {
    const schema: SchemaFixture = {
      type: 'object',
      properties: { s: { type: 'string' }, m: { type: 'object', additionalProperties: { type: 'string' } } },
    };
    const quoted = literal(text);
    for (const rule of [
      `self.s == ${quoted}`,
      `self.s.startsWith(${quoted})`,
      `self.m[${quoted}] == self.s`,
      `self.s in [${quoted}, 'a']`,
      `[self.s + ${quoted}].all(x, x.contains(${quoted}))`,
      `self.m.all(k, k != ${quoted} && self.m[k].endsWith(${quoted}))`,
    ]) {
      const generated = generateFor(rule, schema);
      expect(generated.ok ? foreign(generated.source) : generated.obstacle).toEqual([]);
    }
  });

  it('names of fields', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'a-b', 'c.d', 'e/f', 'if', 'process', 'globalThis', 'require'];
    const schema: SchemaFixture = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    for (const field of [
      'constructor',
      'toString',
      'hasOwnProperty',
      'a__dash__b',
      'c__dot__d',
      'e__slash__f',
      '__if__',
      'process',
      'globalThis',
      'require',
    ]) {
      const generated = generateFor(`has(self.${field}) && self.${field} == 'x'`, schema);
      expect(generated.ok ? foreign(generated.source) : generated.obstacle).toEqual([]);
    }
  });

  it(`${RULES} random texts`, { timeout: 7_200_000 }, () => {
    const random = seededCongruence(SEED);
    const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
    const alphabet = [...'abc"\'`\\/*;(){}[]$%<>\u2028\u2029\n\t👑', ...HOSTILE];
    let generatedCount = 0;
    let schema: SchemaFixture = {};
    for (let n = 0; n < RULES; n++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(alphabet)).join('');
      const quoted = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\0', '\\u0000');
      // The text is also a field name and an enum value of the schema. The schema serves for the next few texts.
      if (n % TEXTS_PER_SCHEMA === 0)
        schema = {
          type: 'object',
          properties: {
            [text]: { type: 'string', enum: [text], pattern: text },
            s: { type: 'string' },
            m: MAP_OF_STRINGS,
            o: { type: 'object', properties: { [text]: { type: 'integer' } } },
          },
        };
      const generated = generateFor(pick(TEMPLATES)(quoted), schema);
      if (!generated.ok) continue;
      generatedCount++;
      const strange = foreign(generated.source);
      if (strange.length > 0) expect(`${quoted}: ${strange.join(' ')}`).toBe('');
    }
    expect(generatedCount).toBeGreaterThan(RULES * 0.95);
  });
});
