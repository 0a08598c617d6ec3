import { CancellationFlag, utf8Bytes } from '#go';
import type { JsonObject } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '../../definition/compile-definition.ts';
import type { CompiledDefinition } from '../../definition/compile-definition.ts';
import { definitionOfSchema, widgetDefinition } from '../../testing/definition-fixture.ts';
import type { ObjectWrite, ValidationOptions } from '../../verdict.ts';
import { validateObject } from '../validate-object.ts';
import { AdaptiveReader } from './adaptive-reader.ts';
import { verdictText } from '../../testing/outcomes.ts';

type Document = Parameters<typeof compileStoredDefinition>[0];

/** Compiles a definition. Each test needs a new one, because a reader that accepted few objects runs less often. */
function compiled(document: Document): CompiledDefinition {
  const outcome = compileStoredDefinition(document, {
    minor: LATEST_MINOR,
    gates: defaultGates(LATEST_MINOR),
    engine: nodeEngine('compiled'),
  });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

const write = (body: Uint8Array | string, more: Partial<ObjectWrite> = {}): ObjectWrite => ({
  operation: 'CREATE',
  body,
  contentType: 'application/json',
  fieldValidation: 'Warn',
  ...more,
});

/** Calls {@link judgedWith} with a newly compiled definition, with which no object was validated before. */
function judgedBy(document: Document, body: string, options: ValidationOptions = {}, more: Partial<ObjectWrite> = {}) {
  return judgedWith(compiled(document), body, options, more);
}

/**
 * Returns what computed the verdict on a body: the reader or the exact validation. Expects both to return the same verdict. A body given as
 * text is never read by a reader, and only the exact validation reports times.
 */
function judgedWith(definition: CompiledDefinition, body: string, options: ValidationOptions = {}, more: Partial<ObjectWrite> = {}) {
  const verdict = validateObject(definition, write(utf8Bytes(body), more), { ...options, timings: true });
  expect(verdictText(verdict)).toBe(verdictText(validateObject(definition, write(body, more), options)));
  if ('cancelled' in verdict) return 'cancelled';
  if (!verdict.accepted) return 'refused exactly';
  return verdict.phases === undefined ? 'reader' : 'accepted exactly';
}

const WIDGETS = widgetDefinition({
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    share: { type: 'number', maximum: 1 },
    mode: { type: 'string', enum: ['fast', 'slow', 'slower'], default: 'slow' },
    title: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[^x]*$' },
    at: { type: 'string', format: 'date-time' },
    note: { type: 'string', nullable: true },
    port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    amount: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '^[0-9]+m?$',
      maxLength: 4,
      maximum: 100,
    },
    tags: { type: 'array', maxItems: 100, 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 9 } },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } },
        'x-kubernetes-validations': [{ rule: 'self.port > 1' }],
      },
    },
    levels: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= 0' }] } },
    marks: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'boolean' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'integer' } } },
    pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    either: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    nested: {
      type: 'object',
      default: {},
      properties: { deep: { type: 'integer', default: 3, 'x-kubernetes-validations': [{ rule: 'self == 3' }] } },
    },
  },
  'x-kubernetes-validations': [
    { rule: "self.mode != 'fast' || self.size > 5" },
    { rule: '!has(self.tags) || self.tags.all(t, t.size() > 0)' },
  ],
});

const HEAD = '"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"}';
const spec = (fields: string): string => `{${HEAD},"spec":{"size":6${fields === '' ? '' : `,${fields}`}}}`;
const metadata = (text: string): string => `{"apiVersion":"example.com/v1","kind":"Widget","metadata":${text},"spec":{"size":6}}`;

const READ: readonly (readonly [what: string, body: string])[] = [
  ['the least there is', spec('')],
  [
    'white space everywhere',
    ' {\n\t"kind" : "Widget" ,\r\n "apiVersion":"example.com/v1","metadata" : { "name" : "one" },"spec": { "size" :  6 } } \n',
  ],
  ['a word of an enum', spec('"mode":"slower"')],
  ['characters beyond ASCII, and what follows them', spec('"title":"é😀","mode":"fast","note":"ß"')],
  ['escapes', spec('"note":"a\\n\\u00e9\\ud83d\\ude00\\/","mode":"slow"')],
  ['a null where it may be', spec('"note":null')],
  ['a null that is no value', spec('"title":null')],
  ['a null in place of a default', spec('"mode":null,"nested":null,"parts":[{"port":null,"name":"a"}]')],
  ['a fraction, and an integer in its place', spec('"share":0.25')],
  ['an integral float', spec('"share":1.0')],
  ['an integer for a number', spec('"share":-1')],
  ['a time', spec('"at":"2026-01-02T03:04:05Z"')],
  ['an integer or a string', spec('"port":"http"')],
  ['an integer or a string, the integer', spec('"port":80')],
  ['an integer or a string of a kind', spec('"amount":"250m"')],
  ['an integer or a string of a kind, the integer', spec('"amount":100')],
  ['a set', spec('"tags":["a","b"]')],
  ['a long set', spec(`"tags":[${Array.from({ length: 90 }, (_, i) => `"t${i}"`).join()}]`)],
  ['a map of several keys, one of them by default', spec('"parts":[{"name":"a"},{"name":"a","port":81},{"port":80,"name":"b"}]')],
  ['entries without declared keys', spec('"marks":{"__proto__":true,"constructor":false}')],
  ['unknown fields that are kept, escaped ones too', spec('"free":{"x":{"y":[1,null,{"z":1.5}]},"known":1,"\\u0079":null}')],
  ['an embedded resource', spec('"pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},"spec":{"x":[1]}}')],
  ['one of two', spec('"either":{"b":1}')],
  ['a default that is overruled', spec('"nested":{"deep":3}')],
  ['labels and annotations', metadata('{"name":"one","namespace":"two","labels":{"a.b/c":"d"},"annotations":{"e":"Füße \\n"}}')],
  [
    'owners and finalizers',
    metadata('{"name":"one","finalizers":["a.b/c"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]}'),
  ],
  ['what a cluster wrote', metadata('{"name":"one","uid":"u","creationTimestamp":null,"generation":7,"managedFields":[{"manager":"m"}]}')],
  ['a name that is generated', metadata('{"generateName":"one-"}')],
  ['a status, which is dropped', `{${HEAD},"spec":{"size":6},"status":{"count":3}}`],
];

/** Bodies that the exact validation accepts with a warning, or in a form that differs from the sent object. */
const ACCEPTED: readonly (readonly [what: string, body: string])[] = [
  ['an unknown field', spec('"colour":1')],
  ['a key of the root that nobody knows', `{${HEAD},"colour":1,"spec":{"size":6}}`],
  ['a key twice', spec('"mode":"slow","mode":"fast"')],
  ['an entry twice', spec('"marks":{"a":true,"a":true}')],
  ['an entry that is null and may not be', spec('"marks":{"a":true,"b":null}')],
  ['a key twice, null at first', spec('"title":null,"title":"abc"')],
  ['a declared key with an escape', spec('"\\u006dode":"fast"')],
  ['a declared key with an escape among those that are kept', spec('"free":{"\\u006bnown":2}')],
  ['an exponent', spec('"share":1e-3')],
  ['many digits', spec('"port":9007199254740993')],
  ['a lone surrogate', spec('"note":"\\ud800"')],
  ['an unknown field in a status that is dropped', `{${HEAD},"spec":{"size":6},"status":{"colour":3}}`],
  ['an unknown field of the metadata', metadata('{"name":"one","colour":1}')],
  ['a finalizer without a domain', metadata('{"name":"one","finalizers":["mine"]}')],
];

const REFUSED: readonly (readonly [what: string, body: string])[] = [
  ['a field that is missing', `{${HEAD},"spec":{}}`],
  ['a field that is null', `{${HEAD},"spec":{"size":null}}`],
  ['no spec as it should be', `{${HEAD},"spec":[]}`],
  ['an integer out of its bounds', `{${HEAD},"spec":{"size":11}}`],
  ['a bound at its edge', `{${HEAD},"spec":{"size":0}}`],
  ['a text that is too long', spec('"title":"abcde"')],
  ['a text that is too short, in two units', spec('"title":"😀"')],
  ['a text against its pattern', spec('"title":"ax"')],
  ['no time', spec('"at":"2026-01-02"')],
  ['a word that is none of an enum', spec('"mode":"slowest"')],
  ['a string that is to be an integer or of another kind', spec('"amount":"25x"')],
  ['a string that is too long where an integer may be', spec('"amount":"2500m"')],
  ['an integer that is too large where a string may be', spec('"amount":101')],
  ['a fraction for an integer', `{${HEAD},"spec":{"size":6.5}}`],
  ['a set with twins', spec('"tags":["a","a"]')],
  ['a long set with twins', spec(`"tags":[${Array.from({ length: 90 }, (_, i) => `"t${i % 89}"`).join()}]`)],
  ['a map with equal keys, one by default', spec('"parts":[{"name":"a"},{"name":"a","port":80}]')],
  ['too many entries', spec('"marks":{"a":true,"b":true,"c":true}')],
  ['too few entries', spec('"marks":{}')],
  ['both of two', spec('"either":{"a":1,"b":1}')],
  ['an embedded resource without a kind', spec('"pod":{"apiVersion":"v1"}')],
  ['a rule of the object', spec('"mode":"fast"').replace('"size":6', '"size":5')],
  ['a rule of an item', spec('"parts":[{"name":"a","port":1}]')],
  ['a rule of a field', spec('"nested":{"deep":4}')],
  ['no name', metadata('{}')],
  ['a name that is none', metadata('{"name":"One"}')],
  ['a label that is none', metadata('{"name":"one","labels":{"a":"-"}}')],
  ['another kind', spec('').replace('Widget', 'Widgets')],
  ['another version', spec('').replace('example.com/v1', 'example.com/v2')],
  ['a revision', metadata('{"name":"one","resourceVersion":"5"}')],
  ['something behind the object', `${spec('')} x`],
  ['a zero before an integer', spec('"port":08')],
  ['half an object', spec('"tags":["a').slice(0, -3)],
  ['half a word', spec('').slice(0, -3).replace('"size":6', '"mode":"sl')],
];

describe('SchemaReader', () => {
  it.each(READ)('accepts without the exact code: %s', (_, body) => {
    expect(judgedBy(WIDGETS, body)).toBe('reader');
  });

  it.each(ACCEPTED)('leaves %s to the exact code, which accepts', (_, body) => {
    expect(judgedBy(WIDGETS, body)).toBe('accepted exactly');
  });

  it.each(REFUSED)('leaves %s to the exact code, which rejects', (_, body) => {
    expect(judgedBy(WIDGETS, body)).toBe('refused exactly');
  });

  it('accepts a resourceVersion if the caller ignores fields that a server owns', () => {
    expect(judgedBy(WIDGETS, metadata('{"name":"one","resourceVersion":"5"}'), {}, { ownedFields: 'takenOff' })).toBe('reader');
  });

  it('leaves objects to the exact code if their cost is near a limit', () => {
    const body = spec('"tags":["a","b"]');
    const verdict = validateObject(compiled(WIDGETS), write(body));
    const cost = 'cancelled' in verdict ? 0 : (verdict.cost.cel ?? 0);
    expect(cost).toBeGreaterThan(10);
    expect(judgedBy(WIDGETS, body, { budget: cost + 1 })).toBe('reader');
    expect(judgedBy(WIDGETS, body, { budget: cost })).toBe('accepted exactly');
    expect(judgedBy(WIDGETS, body, { budget: cost - 1 })).toBe('refused exactly');
    expect(judgedBy(WIDGETS, body, { costLimit: 3 })).toBe('refused exactly');
    // The rule of the default costs about one unit.
    expect(judgedBy(WIDGETS, body, { costLimit: 0 })).toBe('refused exactly');
  });

  it('counts the cost of the rules of a default wherever it is inserted, and of a long list once', () => {
    const definition = compiled(WIDGETS);
    const marks = Array.from({ length: 70 }, (_, i) => i).join();
    for (let n = 0; n < 3; n++) expect([n, judgedWith(definition, spec(`"levels":[${marks}]`))]).toEqual([n, 'reader']);
    expect(judgedWith(definition, spec(''), { costLimit: 1 })).toBe('refused exactly');
    expect(judgedWith(definition, spec(''))).toBe('reader');
  });

  it('applies the cost limit of a call to the rules of defaults', () => {
    const field = { type: 'integer', default: 3, 'x-kubernetes-validations': [{ rule: 'self == 3' }] };
    const definition = compiled(
      definitionOfSchema({ type: 'object', properties: { spec: { type: 'object', default: {}, properties: { field } } } }),
    );
    for (let n = 0; n < 2; n++) expect(judgedWith(definition, `{${HEAD}}`)).toBe('reader');
    expect(judgedWith(definition, `{${HEAD}}`, { costLimit: 1 })).toBe('refused exactly');
  });

  it('stops when the validation is cancelled', () => {
    const token = new CancellationFlag();
    token.cancel();
    const parts = Array.from({ length: 300 }, (_, i) => `{"name":"n${i}"}`).join();
    expect(judgedBy(WIDGETS, spec(`"parts":[${parts}]`), { token })).toBe('cancelled');
  });

  it('is not used if the caller requests more than a verdict', () => {
    expect(judgedBy(WIDGETS, spec(''), { explain: true })).toBe('accepted exactly');
    expect(judgedBy(WIDGETS, spec(''), { observer: () => undefined })).toBe('accepted exactly');
    expect(judgedBy(WIDGETS, spec(''), {}, { contentType: 'application/json; charset=utf-8' })).toBe('accepted exactly');
    expect(judgedBy(WIDGETS, spec(''), {}, { fieldValidation: 'Never' })).toBe('refused exactly');
  });

  it.each([
    [
      'metadata that the schema restricts',
      { properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } } } },
      'reader',
    ],
    [
      'metadata that it restricts, in vain',
      { properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 2 } } } } },
      'refused exactly',
    ],
    ['a root that keeps what is unknown', { 'x-kubernetes-preserve-unknown-fields': true }, 'reader'],
    ['a root that keeps a list of items', { properties: { items: { type: 'array', items: { type: 'string' } } } }, 'reader'],
    ['a rule about the name', { 'x-kubernetes-validations': [{ rule: "self.metadata.name == 'one'" }] }, 'reader'],
    ['a rule about an older self', { 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }, 'reader'],
    [
      'a rule about an older self that need not be',
      { 'x-kubernetes-validations': [{ rule: '!oldSelf.hasValue()', optionalOldSelf: true }] },
      'reader',
    ],
    ['a rule that does not compile', { 'x-kubernetes-validations': [{ rule: 'self.nothing' }] }, 'refused exactly'],
  ])('gives the exact verdict for %s', (_, schema, by) => {
    expect(judgedBy(definitionOfSchema({ type: 'object', ...schema }), `{${HEAD}}`)).toBe(by);
  });

  it('leaves an object with a root field "items" to the exact code', () => {
    const definition = definitionOfSchema({ type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } });
    expect(judgedBy(definition, `{${HEAD},"items":[]}`)).toBe('refused exactly');
  });
});

/** Definition of widgets in which some rules read `oldSelf`, and others read the status that an update keeps. */
const CHANGING = definitionOfSchema(
  {
    type: 'object',
    'x-kubernetes-validations': [{ rule: '!has(self.status) || self.status.count <= self.spec.size' }],
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
          mode: { type: 'string', default: 'a', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
          note: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() || self == "new"', optionalOldSelf: true }],
          },
          free: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            additionalProperties: {
              type: 'integer',
              'x-kubernetes-validations': [
                { rule: 'self >= oldSelf' },
                { rule: 'self < 9' },
                { rule: 'oldSelf.hasValue() || self > 4', optionalOldSelf: true },
              ],
            },
          },
        },
      },
      status: {
        type: 'object',
        properties: { count: { type: 'integer', maximum: 8, 'x-kubernetes-validations': [{ rule: 'self != 3' }] } },
      },
    },
  },
  { subresources: { status: {} } },
);

/** Returns a widget as JSON text. `fields` are the fields of its spec. */
const changing = (fields: string, more = ''): string => `{${HEAD}${more},"spec":{${fields}}}`;

const older = (fields: string, more = ''): JsonObject => JSON.parse(changing(fields, more)) as JsonObject;

describe('SchemaReader for updates', () => {
  it.each<[what: string, body: string, old: JsonObject, by: string]>([
    ['a change of nothing', changing('"size":5'), older('"size":5'), 'reader'],
    ['a rule about the change', changing('"size":6'), older('"size":5'), 'reader'],
    ['a rule about the change that is broken', changing('"size":4'), older('"size":5'), 'refused exactly'],
    ['such a rule about a field that was not there', changing('"size":4,"mode":"a"'), older('"size":4'), 'reader'],
    ['such a rule about a default', changing('"size":4'), older('"size":4,"mode":"b"'), 'refused exactly'],
    ['a field that may be new', changing('"size":4,"note":"new"'), older('"size":4'), 'reader'],
    ['a field that may not be new', changing('"size":4,"note":"x"'), older('"size":4'), 'refused exactly'],
    ['a field that may be so where it was', changing('"size":4,"note":"x"'), older('"size":4,"note":"y"'), 'reader'],
    ['such a rule where anything goes', changing('"size":4,"free":{"a":2}'), older('"size":4,"free":{"a":1}'), 'reader'],
    ['such a rule, broken where anything goes', changing('"size":4,"free":{"a":1}'), older('"size":4,"free":{"a":2}'), 'refused exactly'],
    ['a status that is kept', changing('"size":5', ',"status":{"count":7}'), older('"size":4', ',"status":{"count":5}'), 'reader'],
    ['a rule that sees the status', changing('"size":5'), older('"size":5', ',"status":{"count":6}'), 'refused exactly'],
    ['a status that was wrong before', changing('"size":9'), older('"size":9', ',"status":{"count":9}'), 'accepted exactly'],
    ['a status that a rule refused before', changing('"size":9'), older('"size":9', ',"status":{"count":3}'), 'accepted exactly'],
    ['what was wrong before', changing('"size":5,"free":{"a":9}'), older('"size":5,"free":{"a":9}'), 'accepted exactly'],
    ['another name', changing('"size":5').replace('"one"', '"two"'), older('"size":5'), 'refused exactly'],
    ['another revision', changing('"size":5').replace('"one"', '"one","resourceVersion":"7"'), older('"size":5'), 'reader'],
    ['labels that are none', changing('"size":5').replace('"one"', '"one","labels":{"a":"-"}'), older('"size":5'), 'refused exactly'],
  ])('gives the exact verdict for %s', (_, body, oldObject, by) => {
    expect(judgedBy(CHANGING, body, {}, { operation: 'UPDATE', oldObject })).toBe(by);
  });

  it('counts the cost of rules on values that it read, kept or changed', () => {
    const update = { operation: 'UPDATE', oldObject: older('"size":4,"free":{"a":1}', ',"status":{"count":2}') } as const;
    const body = changing('"size":5,"free":{"a":2}');
    const verdict = validateObject(compiled(CHANGING), write(body, update));
    const cost = 'cancelled' in verdict ? 0 : (verdict.cost.cel ?? 0);
    expect(cost).toBeGreaterThan(5);
    expect(judgedBy(CHANGING, body, { budget: cost + 1 }, update)).toBe('reader');
    expect(judgedBy(CHANGING, body, { budget: cost }, update)).toBe('accepted exactly');
    expect(judgedBy(CHANGING, body, { budget: cost - 1 }, update)).toBe('refused exactly');
  });

  it('leaves writes of the status to the exact code', () => {
    const update = { operation: 'UPDATE', subresource: 'status', oldObject: older('"size":4') } as const;
    expect(judgedBy(CHANGING, changing('"size":4', ',"status":{"count":2}'), {}, update)).toBe('accepted exactly');
  });
});

describe('AdaptiveReader', () => {
  const body = utf8Bytes('x'.repeat(100));
  const ask = (reader: AdaptiveReader): void => {
    if (reader.mayRead(body.length)) reader.read(body, write(body), {});
  };

  it('generates code only after enough bytes were read to justify the time for it', () => {
    let made = 0;
    const reader = new AdaptiveReader(() => void (made += 1), 250);
    for (let n = 0; n < 3; n++) ask(reader);
    expect(made).toBe(0);
    ask(reader);
    ask(reader);
    expect(made).toBe(1);
  });

  it('tries only one in 16 documents after 16 failures', () => {
    let reads = 0;
    const silent = { read: () => void (reads += 1) } as never;
    const reader = new AdaptiveReader(() => silent, 0);
    for (let n = 0; n < 16 + 160; n++) ask(reader);
    expect(reads).toBe(16 + 10);
  });
});
