import type { DIFFERENCES } from '#cel';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { costOf, estimateOf, properties, valueOf } from './example.ts';
import type { ExamplesOf } from './example.ts';

/** Schema with a string of at most ten characters. */
const SHORT = properties('short: {type: string, maxLength: 10}');
/** Schema with strings of any length. */
const LONG = properties('long: {type: string}', 'other: {type: string}');
const KEYED = '{type: object, required: [my-key], properties: {my-key: {type: string}}}';
/** Rule of a definition about the name of its objects. */
const NAME_RULE = `x-kubernetes-validations: [{rule: "!format.dns1123Label().validate(self.metadata.name).hasValue()"}]`;

/** Examples of the differences in CEL. */
export const CEL_EXAMPLES: ExamplesOf<typeof DIFFERENCES> = {
  duplicatesCount: valueOf(
    "self.set == ['a', 'a']",
    properties('set: {type: array, x-kubernetes-list-type: set, items: {type: string}}'),
    '{set: [a, b]}',
  ),
  setElementsAreValues: valueOf(
    'self.set == [1.5, 2.0]',
    properties('set: {type: array, x-kubernetes-list-type: set, items: {type: number}}'),
    '{set: [1.5, 2]}',
  ),
  keysAreFields: valueOf(
    '(self.keyed + dyn(self.more)).size()',
    properties(
      `keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [my-key], items: ${KEYED}}`,
      `more: {type: array, items: ${KEYED}}`,
    ),
    '{keyed: [{my-key: a}, {my-key: b}], more: [{my-key: c}]}',
  ),
  nullFieldsAgree: valueOf(
    'self.list[0] == self.list[1]',
    properties('list: {type: array, items: {type: object, properties: {a: {type: string, nullable: true}}}}'),
    '{list: [{a: null}, {a: null}]}',
  ),
  optionalsKeepSchemas: valueOf(
    "[self.?part].exists(p, p.?at.value() > timestamp('2020-01-01T00:00:00Z'))",
    properties('part: {type: object, properties: {at: {type: string, format: date-time}}}'),
    "{part: {at: '2021-01-01T00:00:00Z'}}",
  ),
  optionalsAreAsked: valueOf('dyn(1).orValue(2)'),
  nanPrecedesNothing: valueOf('0.0 / 0.0 < 1.0'),
  accumulatorsAreLazy: costOf('optional.of(1).optMap(v, 2)'),
  errorsEndChains: costOf(
    'self.list.all(x, x.a == 1)',
    properties('list: {type: array, items: {type: object, properties: {a: {type: integer}}}}'),
    '{list: [text]}',
  ),
  optionalTypeIsNamed: valueOf('optional.of(1) + 1'),
  copiesLoseSchemas: valueOf(
    "self.days.reverse()[0] > timestamp('2020-01-01T00:00:00Z')",
    properties('days: {type: array, items: {type: string, format: date-time}}'),
    "{days: ['2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z']}",
  ),
  collectionsAreGeneric: valueOf('dyn({})[dyn([1])]'),

  namesAreCapped: {
    documents: [yamlDefinition('type: object').replace('        properties:\n', `        ${NAME_RULE}\n        properties:\n`)],
    cause: NAME_RULE,
  },
  intOrStringIsBounded: estimateOf("string(self.port).matches('a')", properties('port: {x-kubernetes-int-or-string: true, maxLength: 10}')),
  affixTestTraversesArgument: costOf("self.long.startsWith('ab')", LONG, '{long: abcdefghijabcdefghijabcdefghij}'),
  globalMatchesTraverses: estimateOf("matches(self.short, '^[a-z]+$')", SHORT),
  libraryEqualityIsFixed: estimateOf("quantity('1') == quantity('2')"),
  messageSizeIsUnknown: estimateOf("google.protobuf.StringValue{value: 'a'} + 'b'"),
  optionalsAreUnwrapped: costOf("optional.of('abcdefghijklmnopqrstuvwxyz') == optional.of('abcdefghijklmnopqrstuvwxyz')"),
  estimatesFollowEntries: estimateOf("dyn(self.short).contains('a')", SHORT),
  costsAreModelled: estimateOf('type(dyn(self).nope) == string', SHORT),
  failuresEndCalls: costOf("['abc'.charAt(5)]"),
  urlPartsHaveSizes: estimateOf("url(self.short).getHost().contains('a')", SHORT),
  presenceTestsHaveSizes: estimateOf('has(self.long) == has(self.other)', LONG),
  computedEntriesAreUnbounded: estimateOf("self.short.split('/')[0].contains('a')", SHORT),

  twoVariableMacros: valueOf('[1, 2].all(i, v, i < v)'),
  sortByMacro: valueOf('[3, 1].sortBy(x, x)'),
  keywordFields: valueOf('self.namespace', properties('namespace: {type: string}'), '{namespace: a}'),
  formatsAreChecked: valueOf("'%d'.format(['a'])"),
  accumulatorIsCopied: valueOf('optional.of([1].map(x, x)).optMap(y, y)'),
  targetIsCopied: valueOf('optional.of([1].map(x, x)).optMap(y, y)'),
  lineStartsBelong: valueOf('1 +\nx'),
  backTicks: valueOf("{'a-b': 1}.`a-b`"),
  codePointsAreChecked: valueOf(String.raw`'\ud800'`),
  accumulatorIsHidden: valueOf('[1].all(x, __result__)'),
  namesAreSuggested: valueOf("'abc'.startWith('a')"),
  typesOfTypesUnify: valueOf('type([]) == int'),
  quotedIdentifiers: valueOf("{'a-b': 1}.`a-b`"),
};
