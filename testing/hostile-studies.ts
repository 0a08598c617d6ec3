/**
 * Definition that is meant to exhaust a study (benchmark) of its rules. The tuple contains a name, the schema of `spec`, and a pattern that
 * the answer about the rules must match.
 */
export type HostileStudy = readonly [name: string, spec: string, words: RegExp];

const STRING = '{"type":"string"}';
const INTEGER = '{"type":"integer"}';
const many = (count: number, item: (i: number) => string): string => Array.from({ length: count }, (_, i) => item(i)).join(',');
const nested = (open: string, inner: string, close: string, count: number): string => open.repeat(count) + inner + close.repeat(count);
const rules = (...texts: string[]): string => `"x-kubernetes-validations":${JSON.stringify(texts.map((rule) => ({ rule })))}`;
const object = (properties: string, more: string): string => `{"type":"object","properties":{${properties}},${more}}`;
const list = (items: string, more = ''): string => `{"type":"array",${more}"items":${items}}`;

/** Pattern that accepts any answer, for studies (benchmarks) whose answer depends on the speed of the machine. */
const ANY = /./;
/** All definitions that are meant to exhaust a study (benchmark) of their rules. */
export const HOSTILE_STUDIES: readonly HostileStudy[] = [
  ['400 rules', object(`"a":${list(INTEGER)}`, rules(...Array.from({ length: 400 }, (_, i) => `self.a.all(x, x < ${i})`))), ANY],
  ['300 rules that do not parse', `{"type":"object",${rules(...Array.from({ length: 300 }, (_, i) => `self ++ ${i} (((`))}}`, /refuses/],
  ['300 levels', nested('{"type":"object","properties":{"p":', `{"type":"string",${rules('self != "a"')}}`, '}}', 300), ANY],
  [
    'macros in macros',
    object(`"a":${list(INTEGER)}`, rules(nested('self.a.all(x, ', 'true', ')', 40), nested('self.a.map(x, ', '1', ')', 8) + '.size() > 0')),
    ANY,
  ],
  [
    'a text of 10⁹ code points at least',
    object(`"s":{"type":"string","minLength":1000000000}`, rules('self.s.size() > 3')),
    /no object is accepted/,
  ],
  [
    'a required text of 2⁶³ code points, and a required list of 10⁹ elements',
    object(
      `"s":{"type":"string","minLength":9223372036854775807},"l":${list(INTEGER, '"minItems":1000000000,')}`,
      `"required":["s","l"],${rules('self.s.size() > 3', 'self.l.size() > 3')}`,
    ),
    /larger than a request/,
  ],
  [
    'lists in lists with 1,000 elements each',
    object(`"l":${nested('{"type":"array","minItems":1000,"items":', INTEGER, '}', 4)}`, `"required":["l"],${rules('self.l.size() > 3')}`),
    ANY,
  ],
  [
    'bounds of 10⁹',
    object(`"l":${list('{"type":"string","maxLength":1000000000}', '"maxItems":1000000000,')}`, rules('self.l.all(x, x.size() > 0)')),
    ANY,
  ],
  // No text that the search usually tries matches the pattern. So the search finds no text, however fast the machine is.
  [
    'a pattern of 60,000 characters',
    object(`"s":{"type":"string","pattern":"^(q|w){4}${'(q|w)*'.repeat(10_000)}$"}`, `"required":["s"],${rules('self.s.size() > 3')}`),
    /no texts for the pattern/,
  ],
  [
    'patterns that nothing matches',
    object('"s":{"type":"string","pattern":"a^b$c"}', `"required":["s"],${rules('self.s.size() > 3')}`),
    /no texts for the pattern/,
  ],
  [
    'an enum of 50,000 values and a value of 500,000 characters',
    object(`"s":{"type":"string","enum":["${'x'.repeat(500_000)}",${many(50_000, (i) => `"v${i}"`)}]}`, rules('self.s.size() > 1')),
    ANY,
  ],
  [
    'a default of 500,000 characters in each element',
    object(
      `"l":${list(`{"type":"object","properties":{"t":{"type":"string","default":"${'x'.repeat(500_000)}"}}}`)}`,
      rules("self.l.all(x, !x.t.contains('y'))"),
    ),
    ANY,
  ],
  [
    'oneOf of 1,000 branches',
    object(
      many(1000, (i) => `"p${i}":${STRING}`),
      `"oneOf":[${many(1000, (i) => `{"required":["p${i}"]}`)}],${rules('!has(self.p7) || self.p7.size() > 3')}`,
    ),
    ANY,
  ],
  [
    'unknown fields everywhere',
    '{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"object","x-kubernetes-preserve-unknown-fields":true},"d":{"x-kubernetes-int-or-string":true}},' +
      `${rules('has(self.a)', 'has(self.d) && (type(self.d) == int || self.d.size() < 5)')}}`,
    ANY,
  ],
  [
    'searches for texts that repeat themselves, and sizes of maps',
    object(
      `"s":${STRING},"t":${STRING},"l":${list(INTEGER)},"m":{"type":"object","additionalProperties":${STRING}}`,
      rules(
        'self.s.indexOf(self.t) < 0',
        'self.s.split(self.t).size() > 0',
        'self.l.all(x, self.m.size() > 0)',
        'self.l.all(x, self.m != {})',
      ),
    ),
    ANY,
  ],
];
