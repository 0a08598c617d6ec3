import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { TrackedDefinition } from '../src/tracking/tracked-definition.ts';
import { fieldOf, placeInObjects } from '../src/tracking/tracked-definition.ts';
import { trackingText } from '../src/tracking/tracking-forms.ts';

/** Schema of Bencher's format. Source: https://bencher.dev/docs/reference/bencher-metric-format, schema https://bencher.dev/bmf.json. */
const BENCHER = {
  type: 'object',
  patternProperties: {
    '.+': {
      type: 'object',
      patternProperties: {
        '.+': {
          type: 'object',
          properties: { value: { type: 'number' }, lower_value: { type: 'number' }, upper_value: { type: 'number' } },
          required: ['value'],
        },
      },
    },
  },
};
/** Form of the input of `customSmallerIsBetter`. Source: github-action-benchmark, README.md and src/extract.ts. */
const ACTION = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      unit: { type: 'string' },
      value: { type: 'number' },
      range: { type: 'string' },
      extra: { type: 'string' },
    },
    required: ['name', 'unit', 'value'],
    additionalProperties: false,
  },
};
/** Form of the answer of an endpoint badge. Source: https://shields.io/badges/endpoint-badge. */
const BADGE = {
  type: 'object',
  properties: {
    schemaVersion: { const: 1 },
    label: { type: 'string' },
    message: { type: 'string', minLength: 1 },
    color: { enum: ['brightgreen', 'yellow', 'orange', 'red', 'lightgrey'] },
  },
  required: ['schemaVersion', 'label', 'message', 'color'],
  additionalProperties: false,
};

const widget: TrackedDefinition = {
  name: 'widgets.example.com',
  minor: '1.37',
  accepted: new Map([
    ['1.36', true],
    ['1.37', true],
  ]),
  rules: [
    { version: 'v1', path: 'properties[spec].x-kubernetes-validations[0]', rule: 'self.a >\n 0', estimate: '5894144', found: 12 },
    { version: 'v1', path: 'properties[spec].x-kubernetes-validations[3]', rule: 'self.a > 0', estimate: '10' },
    { version: 'v1', path: 'x-kubernetes-validations[0]', rule: 'self.', estimate: undefined },
    { version: 'v1', path: 'x-kubernetes-validations[1]', rule: 'x'.repeat(5000), estimate: '18446744073709551615' },
  ],
  totals: [{ version: 'v1', cost: '11188708' }],
};
const worse: TrackedDefinition = {
  ...widget,
  name: '__proto__',
  accepted: new Map([
    ['1.36', true],
    ['1.37', false],
  ]),
  rules: [],
  totals: [],
};
const valueOf = (form: Parameters<typeof trackingText>[0], ...definitions: readonly TrackedDefinition[]): unknown =>
  JSON.parse(trackingText(form, definitions));

describe('output forms for tools that track benchmarks', () => {
  it.each([
    ['bencher', BENCHER],
    ['github-action-benchmark', ACTION],
    ['badge', BADGE],
  ] as const)('%s has the form that the tool documents', (form, schema) => {
    const validate = new Ajv({ strict: false }).compile(schema);
    for (const definitions of [[], [widget], [widget, worse]]) {
      validate(valueOf(form, ...definitions));
      expect(validate.errors).toBeNull();
    }
  });

  it('name each figure uniquely, and without the position of the rule', () => {
    const names = Object.keys(Object(valueOf('bencher', widget)));
    expect(names.slice(0, 3)).toEqual([
      'widgets.example.com v1 all rules',
      'widgets.example.com v1 spec: self.a > 0',
      'widgets.example.com v1 spec: self.a > 0 #2',
    ]);
    expect(names).toHaveLength(4);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(1024);
    expect(valueOf('bencher', widget)).toMatchObject({
      'widgets.example.com v1 spec: self.a > 0': {
        'estimated-cost': { value: 5894144 },
        'share-of-limit': { value: 58.9414 },
        'found-cost': { value: 12 },
      },
    });
    expect(valueOf('github-action-benchmark', widget)).toMatchObject([
      { value: 11.1887 },
      { name: 'widgets.example.com v1 spec: self.a > 0', unit: '% of the limit', value: 58.9414 },
      {},
      {},
    ]);
  });

  it.each([
    [[{ ...widget, rules: widget.rules.slice(0, 2) }], 'installs on 1.36 to 1.37 · 59 % of the limit', 'yellow'],
    [[{ ...widget, rules: [] }], 'installs on 1.36 to 1.37 · 11 % of the limit', 'brightgreen'],
    [[widget], 'installs on 1.36 to 1.37 · over 10 times the limit', 'yellow'],
    [[{ ...widget, rules: [] }, worse], 'installs on 1.36 · 11 % of the limit', 'orange'],
    [[{ ...worse, accepted: new Map([['1.37', false]]) }], 'installs on no version · 0 % of the limit', 'red'],
    [[], 'no definition', 'lightgrey'],
  ] satisfies [TrackedDefinition[], string, string][])(
    'include a badge with the worst state of all definitions (%#)',
    (definitions, message, color) => {
      expect(valueOf('badge', ...definitions)).toEqual({ schemaVersion: 1, label: 'Kubernetes', message, color });
    },
  );

  it.each([
    ['properties[spec].properties[rules].items.properties[x].x-kubernetes-validations[10]', 'spec.rules[*].x', '10'],
    ['properties[a.b].additionalProperties.x-kubernetes-validations[0]', 'a.b[*]', '0'],
    ['properties[items].items.items.x-kubernetes-validations[2]', 'items[*][*]', '2'],
    ['x-kubernetes-validations[0]', '', '0'],
  ])('show the rule %s by its field', (path, field, position) => {
    expect(fieldOf(path)).toBe(field);
    expect(placeInObjects(path)).toBe(`${field === '' ? '(root)' : field} x-kubernetes-validations[${position}]`);
  });
});
