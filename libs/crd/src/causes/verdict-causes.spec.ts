import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from '#cel';
import type { JsonValue } from '#go';
import { defaultGates, EXPRESSION_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { verdictCauses } from './verdict-causes.ts';
import type { VerdictCauses } from './verdict-causes.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' } as const;
const rules = (...all: string[]) => ({ 'x-kubernetes-validations': all.map((rule) => ({ rule })) });
const object = (properties: Readonly<Record<string, Schema>>, ...all: string[]): Schema => ({
  type: 'object',
  properties,
  ...rules(...all),
});
const definition = (spec: Schema): string =>
  JSON.stringify(customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } }));

type Found = VerdictCauses & { readonly accepted: readonly boolean[] };

function causesOfDocument(document: string, from: Minor, to: Minor, stored?: JsonValue): Found {
  const accepted = [from, to].map((minor) => judgeDefinition(document, stored, { minor, ownedFields: 'takenOff' }).accepted);
  const server = (minor: Minor) => ({ minor, gates: defaultGates(minor), stored });
  return { ...verdictCauses(document, [server(from), server(to)], { ownedFields: 'takenOff' }), accepted };
}

const causesOf = (spec: Schema, from: Minor, to: Minor): Found => causesOfDocument(definition(spec), from, to);

type Custom = ReturnType<typeof customDefinition>;
type Change = (definition: Custom) => void;

/** Returns a definition with a schema of its spec, and with changes. */
function custom(spec: Schema, ...changes: readonly Change[]): Custom {
  const made = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
  for (const change of changes) change(made);
  return made;
}

const LABELLED = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: 'true', messageExpression: "format.dns1123Label().validate('a').hasValue() ? 'a' : 'b'" }],
} as const;
const FIELDS = Array.from({ length: 9 }, (_, i) => `f${i}`);
const NINE = object(Object.fromEntries(FIELDS.map((field) => [field, text])));
const selecting: Change = ({ spec }) => {
  Object.assign(spec.versions[0] ?? {}, { selectableFields: FIELDS.map((field) => ({ jsonPath: `.spec.${field}` })) });
};
const convertedBy =
  (caBundle: string): Change =>
  ({ spec }) => {
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a.example.com/', caBundle } };
    Object.assign(spec, { conversion: { strategy: 'Webhook', webhook } });
  };
const renamed: Change = ({ spec }) => {
  Object.assign(spec.versions[0] ?? {}, { name: 'v2' });
};

const MATCHES = "matches(self.a, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')";
const PORT = { 'x-kubernetes-int-or-string': true } as const;
const DOCUMENTED = [{ type: 'integer', example: 1 }, { type: 'string' }];

const names = ({ causes }: VerdictCauses): string[] => causes.map(({ name }) => name);

describe('causes of different verdicts on a definition', () => {
  it('names the only changed cost that makes the difference, with its sentence and the rule', () => {
    const spec = { type: 'array', maxItems: 10, items: object({ a: text }, "matches(self.a, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')") };
    const found = causesOf(spec, '1.36', '1.37');
    expect(found.accepted).toEqual([true, false]);
    const { sentence, upstream } = DIFFERENCES.globalMatchesTraverses.seen;
    expect(found.causes).toEqual([{ name: 'globalMatchesTraverses', sentence, upstream }]);
    expect(found.rules).toMatchObject([{ path: 'properties[spec].items.x-kubernetes-validations[0]', isMessage: false }]);
    const { from, to } = found.rules[0]?.costs ?? { from: 0n, to: 0n };
    expect([from < EXPRESSION_COST_LIMIT, to > EXPRESSION_COST_LIMIT]).toEqual([true, true]);
  });

  it.each<[what: string, cause: string, from: Minor, to: Minor, accepted: readonly boolean[], spec: Schema]>([
    [
      'the sizes of fields in a comparison of presence tests',
      'presenceTestsHaveSizes',
      '1.37',
      '1.38',
      [true, false],
      { type: 'array', maxItems: 100, items: object({ a: text, b: text }), ...rules('self.all(x, has(x.a) == has(x.b))') },
    ],
    [
      'an element of a computed list',
      'computedEntriesAreUnbounded',
      '1.37',
      '1.38',
      [true, false],
      object({ a: { ...text, maxLength: 100 } }, "self.a.split('/')[0].matches('^[a-z]+$')"),
    ],
    [
      'the parts of a URL',
      'urlPartsHaveSizes',
      '1.37',
      '1.38',
      [false, true],
      object({ a: { ...text, maxLength: 100 } }, "url(self.a).getHost().matches('^[a-z]+$')"),
    ],
    [
      'the bound of an int-or-string',
      'intOrStringIsBounded',
      '1.33',
      '1.34',
      [false, true],
      {
        type: 'array',
        maxItems: 100,
        items: object({ a: { 'x-kubernetes-int-or-string': true, maxLength: 20 } }, "string(self.a).matches('^[0-9]+$')"),
      },
    ],
  ])('finds %s', (_, cause, from, to, accepted, spec) => {
    const found = causesOf(spec, from, to);
    expect(found.accepted).toEqual(accepted);
    expect(names(found)).toEqual([cause]);
    expect(found.rules).toHaveLength(1);
  });

  it('names two changed costs if the difference needs both', () => {
    const one = object({ a: text, b: text }, 'has(self.a) == has(self.b)');
    const other = object({ c: { ...text, maxLength: 10 } }, "self.c.split('/')[0].matches('^[a-z]+$')");
    const spec = object({ list: { type: 'array', maxItems: 100, items: one }, other });
    const found = causesOf(spec, '1.37', '1.38');
    expect(found.accepted).toEqual([true, false]);
    expect(names(found).toSorted()).toEqual(['computedEntriesAreUnbounded', 'presenceTestsHaveSizes']);
    expect(found.rules).toHaveLength(2);
  });

  it('names the cost if only the sum of all rules exceeds its limit', () => {
    const field = (rule: string): Schema => object({ a: text }, rule);
    const spec = object(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, field("matches(self.a, '^([0-9]{1,5}(h|m|s|ms)){1,4}$')")])),
    );
    const found = causesOf(spec, '1.36', '1.37');
    expect(found.accepted).toEqual([true, false]);
    expect(names(found)).toEqual(['globalMatchesTraverses']);
    expect(found.rules).toHaveLength(50);
    expect([...found.sums.keys()]).toEqual(['v1']);
  });

  it('finds functions and macros that only a single version declares', () => {
    const newer = causesOf(object({ a: { ...text, maxLength: 9 } }, 'isSemver(self.a)'), '1.33', '1.34');
    expect(newer.accepted).toEqual([false, true]);
    expect(newer.causes).toEqual([{ name: 'isSemver', sentence: 'Since 1.34, new rules may use `isSemver`', upstream: undefined }]);
    expect(newer.rules).toMatchObject([{ text: 'isSemver(self.a)', costs: undefined }]);
    const both = causesOf(object({ a: { ...text, maxLength: 9 } }, 'isIP(self.a) && ip(self.a).family() == 4'), '1.30', '1.31');
    expect(both.causes.map(({ sentence }) => sentence)).toEqual(['Since 1.31, new rules may use `isIP`, `family`, `ip`']);
    const keyword = causesOf(object({ namespace: text, a: text }, '!has(self.namespace) || has(self.a)'), '1.31', '1.32');
    expect(keyword.accepted).toEqual([false, true]);
    expect(names(keyword)).toEqual(['keywordFields']);
    const list = { type: 'array', maxItems: 9, items: { type: 'integer' } };
    const macro = causesOf(object({ a: list }, 'self.a.all(i, v, v > i)'), '1.32', '1.33');
    expect(macro.accepted).toEqual([false, true]);
    expect(names(macro)).toEqual(['twoVariableMacros']);
  });

  it('finds no cause if the verdicts agree', () => {
    const found = causesOf(object({ a: text }, 'self.a.size() < 5'), '1.36', '1.37');
    expect(found).toMatchObject({ about: 'texts', accepted: [true, true], causes: [], hasSeveral: false, rules: [] });
  });

  it.each<[what: string, causes: readonly string[], from: Minor, to: Minor, accepted: readonly boolean[], spec: Schema]>([
    ['a new structural rule', ['documentationIsStructural'], '1.35', '1.36', [true, false], { ...PORT, anyOf: DOCUMENTED }],
    [
      'a structural rule that is gone, in an int-or-string',
      ['nestedClosedMapsAreIgnored'],
      '1.30',
      '1.31',
      [false, true],
      { ...PORT, allOf: [{ anyOf: [{ type: 'integer', additionalProperties: false }, { type: 'string' }] }] },
    ],
    ['a format of numbers', ['numbersAreTyped'], '1.34', '1.37', [true, false], { type: 'integer', format: 'int32', default: 2 ** 31 }],
    [
      'a format of numbers in a branch',
      ['numbersAreTyped'],
      '1.35',
      '1.36',
      [true, false],
      { type: 'integer', format: 'int32', default: 2 ** 31, anyOf: [{ minimum: 1 }] },
    ],
    ['a multiple', ['integersAreRounded'], '1.36', '1.37', [false, true], { type: 'number', multipleOf: 0.1, default: 0.29999999999 }],
    [
      'a format of strings',
      ['k8s-short-name'],
      '1.34',
      '1.35',
      [true, false],
      { type: 'string', format: 'k8s-short-name', default: 'No Name' },
    ],
    ['a comparison of types', ['typesOfTypesUnify'], '1.37', '1.38', [true, false], object({ a: text }, 'type([]) != int')],
    ['a literal format string', ['formatsAreChecked'], '1.30', '1.31', [true, false], object({ a: text }, "'%d'.format(['a']) == 'a'")],
    ['a surrogate', ['codePointsAreChecked'], '1.32', '1.33', [true, false], object({ a: text }, String.raw`'\ud800' == 'a'`)],
    ['back-ticks', ['quotedIdentifiers'], '1.36', '1.37', [false, true], object({ a: text }, "{'a-b': 1}.`a-b` == 1")],
  ])('names %s', (_, causes, from, to, accepted, spec) => {
    const found = causesOf(spec, from, to);
    expect(found).toMatchObject({ about: 'verdict', accepted });
    expect(names(found)).toEqual(causes);
  });

  it.each<[cause: string, from: Minor, to: Minor, accepted: readonly boolean[], stored: Custom, changed: Custom]>([
    ['oldMessagesAreKept', '1.30', '1.31', [false, true], custom(LABELLED), custom({ ...LABELLED, description: 'changed' })],
    [
      'selectableFieldsRatchet',
      '1.34',
      '1.35',
      [false, true],
      custom(NINE, selecting),
      custom({ ...NINE, description: 'changed' }, selecting),
    ],
    ['bundlesAreChecked', '1.30', '1.31', [true, false], custom(object({ a: text })), custom(object({ a: text }), convertedBy('YQ=='))],
    ['storedVersionsHaveHistory', '1.32', '1.33', [false, false], custom(object({ a: text })), custom(object({ a: text }), renamed)],
  ])('finds the cause of different answers to an update: %s', (cause, from, to, accepted, stored, changed) => {
    const found = causesOfDocument(JSON.stringify(changed), from, to, stored as unknown as JsonValue);
    expect(found.accepted).toEqual(accepted);
    expect(names(found)).toEqual([cause]);
  });

  it('finds functions that a server allows only in stored rules, if only one server has stored the definition', () => {
    const labelled = object({ a: text }, "!format.dns1123Label().validate('a').hasValue()");
    const document = JSON.stringify(custom(labelled));
    const server = (minor: Minor, stored?: Custom) => ({ minor, gates: defaultGates(minor), stored: stored as unknown as JsonValue });
    const found = verdictCauses(document, [server('1.31'), server('1.32', custom(labelled))], { ownedFields: 'takenOff' });
    expect(found.causes.map(({ sentence }) => sentence)).toEqual(['Since 1.32, new rules may use `validate`, `format.dns1123Label`']);
  });

  it('names a feature gate whose default differs between the versions', () => {
    const custom = JSON.parse(definition(object({ a: text }))) as { spec: { versions: object[] } };
    Object.assign(custom.spec.versions[0] ?? {}, { selectableFields: [{ jsonPath: '.spec.none' }] });
    const found = causesOfDocument(JSON.stringify(custom), '1.30', '1.31');
    expect(found).toMatchObject({ about: 'verdict', accepted: [true, false], causes: [{ name: 'CustomResourceFieldSelectors' }] });
  });

  it('names each reason if a version rejects a definition for several reasons', () => {
    const dear = { type: 'array', maxItems: 100, items: object({ a: text, b: text }), ...rules('self.all(x, has(x.a) == has(x.b))') };
    const custom = JSON.parse(definition(object({ dear, old: object({ a: text }, 'type([]) != int') }))) as {
      spec: { versions: { schema: { openAPIV3Schema: object } }[] };
    };
    const other = customDefinition({
      kind: 'Widget',
      version: 'v2',
      schema: { type: 'object', properties: { spec: { ...PORT, anyOf: DOCUMENTED } } },
    });
    custom.spec.versions.push(...other.spec.versions.map((version) => ({ ...version, storage: false })));
    const found = causesOfDocument(JSON.stringify(custom), '1.35', '1.38');
    expect(found.accepted).toEqual([true, false]);
    expect(names(found).toSorted()).toEqual(['documentationIsStructural', 'presenceTestsHaveSizes', 'typesOfTypesUnify']);
    expect(found.rules.map(({ text: rule }) => rule)).toEqual(['type([]) != int', 'self.all(x, has(x.a) == has(x.b))']);
  });

  it.each<[what: string, causes: readonly string[], from: Minor, to: Minor, spec: Schema]>([
    ['the words of an error', ['lengthsAreMost'], '1.31', '1.32', { ...text, maxLength: 5, default: 'abcdef' }],
    ['two changes of one text', ['lengthsAreMost', 'onesAreSingular'], '1.31', '1.34', { ...text, maxLength: 1, default: 'abcdef' }],
    ['a warning', ['formatsAreWarned'], '1.33', '1.34', { ...text, format: 'phone' }],
    ['a suggested name', ['namesAreSuggested'], '1.37', '1.38', object({ a: text }, "self.a.startWith('a')")],
    [
      'the factor of an exceeded limit',
      ['globalMatchesTraverses'],
      '1.36',
      '1.37',
      { type: 'array', maxItems: 10, items: object({ a: text }, `${MATCHES} && self.a.matches('^([0-9]{1,5}(h|m|s|ms)){1,4}$')`) },
    ],
  ])('finds causes of different messages for the same verdict: %s', (_, causes, from, to, spec) => {
    const found = causesOf(spec, from, to);
    expect(found.about).toBe('texts');
    expect(found.accepted[0]).toBe(found.accepted[1]);
    expect(names(found)).toEqual(causes);
  });

  it('leaves the estimates of later verdicts unchanged', () => {
    const spec = object({ a: { ...text, maxLength: 100 } }, "self.a.split('/')[0].matches('^[a-z]+$')");
    const costs = () =>
      (['1.37', '1.38'] as const).map((minor) =>
        judgeDefinition(definition(spec), undefined, { minor }).rules.map((rule) => rule.totalCost),
      );
    const before = costs();
    causesOf(spec, '1.37', '1.38');
    expect(costs()).toEqual(before);
  });
});
