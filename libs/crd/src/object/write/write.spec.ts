import { describe, expect, it } from 'vitest';
import { widget, widgetDefinition, widgetNamed } from '../../testing/definition-fixture.ts';
import { objectLines } from '../../testing/outcomes.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const WIDGETS = widgetDefinition({ type: 'object', properties: { size: INTEGER, a: STRING } });
const owner = (uid: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, ...more });

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe("the server's answer to the metadata of a write", () => {
  it.each([
    [
      'an owner',
      { ownerReferences: [owner('1')] },
      ['stores {"metadata":{"generation":1,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"}]}}'],
    ],
    [
      'the same owner twice',
      { ownerReferences: [owner('1'), owner('2'), owner('1')] },
      [
        'stores {"metadata":{"generation":1,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"},{"apiVersion":"v1","kind":"Pod","name":"p","uid":"2"}]}}',
        'warning: .metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1',
      ],
    ],
    [
      'an owner thrice, another twice',
      { ownerReferences: [owner('1'), owner('2'), owner('1'), owner('2'), owner('1')] },
      [
        'stores {"metadata":{"generation":1,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"},{"apiVersion":"v1","kind":"Pod","name":"p","uid":"2"}]}}',
        'warning: .metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1, 2, 1',
      ],
    ],
    [
      'the same uid under two names',
      { ownerReferences: [owner('1'), owner('1', { name: 'q' })] },
      [
        'stores {"metadata":{"generation":1,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"1"}]}}',
      ],
    ],
    [
      'two controllers',
      { ownerReferences: [owner('1', { controller: true }), owner('2', { controller: true })] },
      [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1","controller":true},{"apiVersion":"v1","kind":"Pod","name":"p","uid":"2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/p',
      ],
    ],
    ['an owner without a uid', { ownerReferences: [owner('')] }, ['metadata.ownerReferences[0].uid: Required value: must not be empty']],
    [
      'a finalizer of a domain',
      { finalizers: ['example.com/clean'] },
      ['stores {"metadata":{"finalizers":["example.com/clean"],"generation":1}}'],
    ],
    [
      'a finalizer of no domain',
      { finalizers: ['clean'] },
      [
        'stores {"metadata":{"finalizers":["clean"],"generation":1}}',
        'warning: metadata.finalizers: "clean": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      ],
    ],
    [
      'a domain for a finalizer',
      { finalizers: ['clean.example.com'] },
      [
        'stores {"metadata":{"finalizers":["clean.example.com"],"generation":1}}',
        'warning: metadata.finalizers: "clean.example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      ],
    ],
    [
      'finalizers of Kubernetes',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      ['metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set'],
    ],
    [
      'both finalizers about dependents',
      { finalizers: ['kubernetes', 'orphan'] },
      ['stores {"metadata":{"finalizers":["kubernetes","orphan"],"generation":1}}'],
    ],
    [
      'a finalizer twice',
      { finalizers: ['b', 'a', 'b'] },
      [
        'stores {"metadata":{"finalizers":["b","a","b"],"generation":1}}',
        'warning: metadata.finalizers: "a": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
        'warning: metadata.finalizers: "b": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      ],
    ],
    [
      'a finalizer that is no name',
      { finalizers: ['a b'] },
      [
        `metadata.finalizers: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    ['a generation and a uid', { generation: 7, uid: 'x' }, ['stores {"metadata":{"generation":1}}']],
    ['a resourceVersion', { resourceVersion: '5' }, ['500 resourceVersion should not be set on objects to be created']],
    ['a resourceVersion of zero', { resourceVersion: '0' }, ['stores {"metadata":{"generation":1}}']],
    [
      'a name with a slash',
      { name: 'a/b' },
      [
        `metadata.name: Invalid value: "a/b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'a name of dots',
      { name: '..' },
      [
        `metadata.name: Invalid value: "..": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    ['a generated name', { name: undefined, generateName: 'w-' }, ['stores {"metadata":{"generateName":"w-","generation":1}}']],
    ['no name', { name: undefined }, ['metadata.name: Required value: name or generateName is required']],
    [
      'a label that is none',
      { labels: { 'a b': 'c' } },
      [
        `metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    [
      'a label value with a blank',
      { labels: { a: 'b c' } },
      [
        `metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
    ],
    ['an annotation in capitals', { annotations: { 'A/B': 'c' } }, ['stores {"metadata":{"annotations":{"A/B":"c"},"generation":1}}']],
    ['an unknown field', { lables: { a: 'b' } }, ['stores {"metadata":{"generation":1}}', 'warning: unknown field "metadata.lables"']],
    [
      'a label that is a number',
      { labels: { a: 1 } },
      [
        '400 Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
      ],
    ],
  ])('that creates an object with %s', (_, metadata, lines) => {
    expect(objectLines(WIDGETS, { body: widgetNamed(metadata) })).toEqual(lines);
  });

  it.each([
    ['nothing', {}, {}, ['stores {"metadata":{"generation":1}}']],
    [
      'the same owner twice',
      { ownerReferences: [owner('1'), owner('1')] },
      {},
      [
        'stores {"metadata":{"generation":1,"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"}]}}',
        'warning: .metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1',
      ],
    ],
    [
      'a finalizer that it had',
      { finalizers: ['clean', 'tidy'] },
      { finalizers: ['clean'] },
      [
        'stores {"metadata":{"finalizers":["clean","tidy"],"generation":1}}',
        'warning: metadata.finalizers: "tidy": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      ],
    ],
    ['the stored uid', { uid: '00000000-0000-4000-8000-000000000001' }, {}, ['stores {"metadata":{"generation":1}}']],
    [
      'another uid',
      { uid: '2' },
      {},
      [
        '409 Operation cannot be fulfilled on widgets.example.com "one": StorageError: invalid object, Code: 4, Key: /example.com/widgets/default/one, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: 2, UID in object meta: 00000000-0000-4000-8000-000000000001',
      ],
    ],
    ['the stored resourceVersion', { resourceVersion: '1000' }, {}, ['stores {"metadata":{"generation":1}}']],
    [
      'an older resourceVersion',
      { resourceVersion: '999' },
      {},
      [
        '409 Operation cannot be fulfilled on widgets.example.com "one": the object has been modified; please apply your changes to the latest version and try again',
      ],
    ],
    ['a resourceVersion of zero', { resourceVersion: '0' }, {}, ['stores {"metadata":{"generation":1}}']],
    ['a resourceVersion that is no number', { resourceVersion: 'abc' }, {}, ['500 strconv.ParseUint: parsing "abc": invalid syntax']],
    ['a generation of its own', { generation: 9 }, { generation: 3 }, ['stores {"metadata":{"generation":3}}']],
    ['another name', { name: 'two' }, {}, ['400 the name of the object (two) does not match the name on the URL (one)']],
    ['no name', { name: undefined }, {}, ['400 the name of the object (one based on URL) was undeterminable: name must be provided']],
    [
      'a prefix in place of its name',
      { name: undefined, generateName: 'w-' },
      {},
      ['400 the name of the object (one based on URL) was undeterminable: name must be provided'],
    ],
    [
      'another namespace',
      { namespace: 'other' },
      { namespace: 'default' },
      ['400 the namespace of the provided object does not match the namespace sent on the request'],
    ],
    [
      'a new finalizer while it is deleted',
      { finalizers: ['a.b/c', 'a.b/d'] },
      { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, finalizers: ['a.b/c'] },
      [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/d"}',
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/d"}',
      ],
    ],
    ['another time of creation', { creationTimestamp: '2024-01-01T00:00:00Z' }, {}, ['stores {"metadata":{"generation":1}}']],
  ])('that updates an object with %s', (_, metadata, before, lines) => {
    expect(objectLines(WIDGETS, { body: widgetNamed(metadata), old: widgetNamed(before) })).toEqual(lines);
  });
});

describe("the server's answer about generation and status", () => {
  const before = widget({ size: 1 }, { metadata: { name: 'one', generation: 4 }, status: { count: 1 } });
  it.each([
    ['the same spec', widget({ size: 1 }), undefined, ['stores {"metadata":{"generation":4},"spec":{"size":1},"status":{"count":1}}']],
    ['another spec', widget({ size: 2 }), undefined, ['stores {"metadata":{"generation":5},"spec":{"size":2},"status":{"count":1}}']],
    [
      'another status',
      widget({ size: 1 }, { status: { count: 2 } }),
      undefined,
      ['stores {"metadata":{"generation":4},"spec":{"size":1},"status":{"count":1}}'],
    ],
    [
      'new labels',
      widget({ size: 1 }, { metadata: { name: 'one', labels: { a: 'b' } } }),
      undefined,
      ['stores {"metadata":{"generation":4,"labels":{"a":"b"}},"spec":{"size":1},"status":{"count":1}}'],
    ],
    [
      'all of it, as a status',
      widget({ size: 2 }, { metadata: { name: 'one', labels: { a: 'b' } }, status: { count: 2 } }),
      'status' as const,
      ['stores {"metadata":{"generation":4},"spec":{"size":1},"status":{"count":2}}'],
    ],
    [
      'a status of another type',
      widget({ size: 1 }, { status: { count: 'x' } }),
      'status' as const,
      ['status.count: Invalid value: "string": count in body must be of type integer: "string"'],
    ],
    ['no status', widget({ size: 1 }), 'status' as const, ['stores {"metadata":{"generation":4},"spec":{"size":1}}']],
  ])('to an update with %s', (_, body, subresource, lines) => {
    expect(objectLines(WIDGETS, { body, old: before, ...(subresource && { subresource }) })).toEqual(lines);
  });

  it('to a create drops the status', () => {
    expect(objectLines(WIDGETS, { body: widget({ size: 1 }, { status: { count: 2 } }) })).toEqual([
      'stores {"metadata":{"generation":1},"spec":{"size":1}}',
    ]);
  });
});

describe("the server's answer to a body", () => {
  it.each([
    ['of another kind', widget({}, { kind: 'Gadget' }), ['kind: Invalid value: "Gadget": must be Widget']],
    [
      'of another version',
      widget({}, { apiVersion: 'example.com/v2' }),
      [
        '400 the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
        'warning: unknown field "spec"',
      ],
    ],
    [
      'of another group',
      widget({}, { apiVersion: 'example.org/v1' }),
      ['400 the API version in the data (example.org/v1) does not match the expected API version (example.com/v1)'],
    ],
    [
      'without a version',
      widget({}, { apiVersion: undefined }),
      ['400 the API version in the data () does not match the expected API version (example.com/v1)'],
    ],
    [
      'whose metadata is a list',
      widget({}, { metadata: [] }),
      ['400 Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal array into Go value of type v1.ObjectMeta'],
    ],
    ['with items', widget({}, { items: [] }), ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: unknown field "items"']],
  ])('%s', (_, body, lines) => {
    expect(objectLines(WIDGETS, { body })).toEqual(lines);
  });
});

describe('unknown fields of a write', () => {
  it.each([
    [
      'are named in a warning',
      'Warn',
      widget({ size: 1, b: 1 }),
      ['stores {"metadata":{"generation":1},"spec":{"size":1}}', 'warning: unknown field "spec.b"'],
    ],
    ['are dropped in silence', 'Ignore', widget({ size: 1, b: 1 }), ['stores {"metadata":{"generation":1},"spec":{"size":1}}']],
    [
      'are refused',
      'Strict',
      widget({ size: 1, b: 1 }),
      ['400 Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.b"'],
    ],
    [
      'at the root',
      'Warn',
      widget({}, { extra: {} }),
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: unknown field "extra"'],
    ],
    [
      'need a word that is known',
      'Maybe',
      widget({}),
      ['fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"'],
    ],
  ])('%s (%s)', (_, fieldValidation, body, lines) => {
    expect(objectLines(WIDGETS, { body, fieldValidation })).toEqual(lines);
  });
});

describe("the server's answer to values of a write", () => {
  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
  it.each([
    ['a default', object({ a: { type: 'string', default: 'x' } }), {}, ['stores {"metadata":{"generation":1},"spec":{"a":"x"}}']],
    [
      'a default for null',
      object({ a: { type: 'string', default: 'x' } }),
      { a: null },
      ['stores {"metadata":{"generation":1},"spec":{"a":"x"}}'],
    ],
    [
      'null where it may be',
      object({ a: { type: 'string', nullable: true, default: 'x' } }),
      { a: null },
      ['stores {"metadata":{"generation":1},"spec":{"a":null}}'],
    ],
    ['null that is dropped', object({ a: STRING }), { a: null }, ['stores {"metadata":{"generation":1},"spec":{}}']],
    [
      'a default inside a default',
      object({ a: object({ b: { type: 'string', default: 'x' } }, { default: {} }) }),
      {},
      ['stores {"metadata":{"generation":1},"spec":{"a":{"b":"x"}}}'],
    ],
    [
      'a default of entries',
      { type: 'object', additionalProperties: object({ b: { type: 'string', default: 'x' } }) },
      { k: {} },
      ['stores {"metadata":{"generation":1},"spec":{"k":{"b":"x"}}}'],
    ],
    [
      'a default of items',
      object({ l: { type: 'array', items: object({ b: { type: 'string', default: 'x' } }) } }),
      { l: [{}, { b: 'y' }] },
      ['stores {"metadata":{"generation":1},"spec":{"l":[{"b":"x"},{"b":"y"}]}}'],
    ],
    [
      'unknown fields kept',
      object({ a: object({ b: object({}) }, { 'x-kubernetes-preserve-unknown-fields': true }) }),
      { a: { c: { d: 1 }, b: { e: 1 } } },
      ['stores {"metadata":{"generation":1},"spec":{"a":{"b":{},"c":{"d":1}}}}', 'warning: unknown field "spec.a.b.e"'],
    ],
    [
      'unknown fields of items',
      object({ l: { type: 'array', items: object({ b: STRING }) } }),
      { l: [{ b: 'x', c: 1 }] },
      ['stores {"metadata":{"generation":1},"spec":{"l":[{"b":"x"}]}}', 'warning: unknown field "spec.l[0].c"'],
    ],
    [
      'entries of any kind',
      { type: 'object', additionalProperties: true },
      { a: { b: 1 } },
      ['stores {"metadata":{"generation":1},"spec":{"a":{}}}', 'warning: unknown field "spec.a.b"'],
    ],
    [
      'an embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', x: 1 }, spec: {} },
      [
        'stores {"metadata":{"generation":1},"spec":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}}',
        'warning: unknown field "spec.spec"',
        'warning: unknown field "spec.metadata.x"',
      ],
    ],
    [
      'an embedded resource without a kind',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1' },
      ['spec.kind: Required value'],
    ],
    [
      'an embedded resource with a kind of two words',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'a/b/c', kind: 'Po d' },
      [
        'spec.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        `spec.kind: Invalid value: "Po d": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'an embedded resource with an odd name',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } },
      [`spec.metadata.name: Invalid value: "a/b": may not contain '/'`],
    ],
    [
      'metadata of an embedded resource that is a list',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: 'Pod', metadata: [] },
      [
        '400 Widget in version "v1" cannot be handled as a Widget: spec.metadata: Invalid value: []: json: cannot unmarshal array into Go value of type v1.ObjectMeta',
      ],
    ],
  ])('with %s', (_, schema, spec, lines) => {
    expect(objectLines(widgetDefinition(schema), { body: widget(spec) })).toEqual(lines);
  });
});

describe("the server's answer to lists of a write", () => {
  const list = (items: object, type: string, ...keys: string[]) => ({
    type: 'array',
    items,
    'x-kubernetes-list-type': type,
    ...(keys.length > 0 && { 'x-kubernetes-list-map-keys': keys }),
  });
  const named = { type: 'object', properties: { k: STRING, n: INTEGER }, 'x-kubernetes-preserve-unknown-fields': true };
  it.each([
    ['a set without twins', list(STRING, 'set'), ['a', 'b'], ['stores {"metadata":{"generation":1},"spec":["a","b"]}']],
    [
      'a set with triplets',
      list(STRING, 'set'),
      ['a', 'b', 'a', 'a', 'b'],
      ['spec[2]: Duplicate value: "a"', 'spec[4]: Duplicate value: "b"'],
    ],
    [
      'a set of objects',
      list(named, 'set'),
      [
        { k: 'a', n: 1 },
        { n: 1, k: 'a' },
      ],
      ['spec[1]: Duplicate value: {"k":"a","n":1}'],
    ],
    ['a set of numbers', list({ type: 'number' }, 'set'), [1, 1.5, 1.5], ['spec[2]: Duplicate value: 1.5']],
    ['an atomic list with twins', list(STRING, 'atomic'), ['a', 'a'], ['stores {"metadata":{"generation":1},"spec":["a","a"]}']],
    [
      'a map with a key twice',
      list(named, 'map', 'k'),
      [{ k: 'a', n: 1 }, { k: 'b' }, { k: 'a', n: 2 }],
      ['spec[2]: Duplicate value: {"k":"a"}'],
    ],
    ['a map without keys', list(named, 'map', 'k'), [{ n: 1 }, { n: 2 }], ['spec[1]: Duplicate value: {}']],
    [
      'a map with two keys',
      list(named, 'map', 'k', 'n'),
      [
        { k: 'a', n: 1 },
        { k: 'a', n: 2 },
        { n: 1, k: 'a' },
      ],
      ['spec[2]: Duplicate value: {"k":"a","n":1}'],
    ],
    ['a map with half a key', list(named, 'map', 'k', 'n'), [{ k: 'a' }, { k: 'a' }], ['spec[1]: Duplicate value: {"k":"a"}']],
  ])('with %s', (_, schema, spec, lines) => {
    expect(objectLines(widgetDefinition(schema), { body: widget(spec) })).toEqual(lines);
  });

  it.each([
    ['twins that are new', ['a', 'a'], ['a', 'b'], ['spec[1]: Duplicate value: "a"']],
    ['twins that were there', ['a', 'a', 'c'], ['a', 'a'], ['stores {"metadata":{"generation":2},"spec":["a","a","c"]}']],
    ['other twins than there were', ['b', 'b'], ['a', 'a'], ['stores {"metadata":{"generation":2},"spec":["b","b"]}']],
  ])('that is an update, with %s', (_, spec, before, lines) => {
    expect(objectLines(widgetDefinition(list(STRING, 'set')), { body: widget(spec), old: widget(before) })).toEqual(lines);
  });
});
