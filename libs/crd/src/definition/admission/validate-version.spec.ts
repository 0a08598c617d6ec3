import { describe, expect, it } from 'vitest';
import type { Minor } from '#kube';
import { definitionWith, versionWith } from '../../testing/definition-fixture.ts';
import { definitionLines } from '../../testing/outcomes.ts';

const lacks = (more: object) => versionWith({ name: 'v2', storage: false, ...more });
const selectable = (...paths: string[]) => versionWith({ selectableFields: paths.map((jsonPath) => ({ jsonPath })) });
/** Returns a version with `count` selectable fields that exist in its schema. */
const many = (count: number) => {
  const names = Array.from({ length: count }, (_, i) => `a${i}`);
  const spec = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
  return versionWith({
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    selectableFields: names.map((name) => ({ jsonPath: `.spec.${name}` })),
  });
};
const column = (more: object) => versionWith({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a', ...more }] });
const scale = (more: object) =>
  versionWith({ subresources: { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.count', ...more } } });

// The expected lines come from the oracle: the Go code of Kubernetes 1.37, or of the version that a row names.
describe("the versions of a definition get the server's verdict", () => {
  it.each([
    ['two, one of them stored', [versionWith(), lacks({})], ['accepted']],
    [
      'none',
      [],
      [
        'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    ],
    [
      'two that are both stored',
      [versionWith(), versionWith({ name: 'v2' })],
      [
        'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      ],
    ],
    [
      'none that is stored',
      [versionWith({ storage: false })],
      [
        'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    ],
    [
      'the same one twice',
      [versionWith(), lacks({ name: 'v1' })],
      [
        'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
      ],
    ],
    [
      'a name in capitals',
      [versionWith({ name: 'V1' })],
      [
        `spec.version: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        `spec.versions[0].name: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'a second name with a dot',
      [versionWith(), lacks({ name: 'v1.2' })],
      [
        `spec.versions[1].name: Invalid value: "v1.2": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    ['one without a schema', [versionWith(), lacks({ schema: undefined })], ['spec.versions[1].schema.openAPIV3Schema: Required value']],
    [
      'a warning of what is not deprecated',
      [versionWith({ deprecationWarning: 'old' })],
      ['spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions'],
    ],
    ['a warning of a deprecated one', [versionWith({ deprecated: true, deprecationWarning: 'old' })], ['accepted']],
    [
      'an empty warning',
      [versionWith({ deprecated: true, deprecationWarning: '' })],
      ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
    ],
    [
      'a warning with a line break',
      [versionWith({ deprecated: true, deprecationWarning: 'ä\nb' })],
      [
        'spec.versions[0].deprecationWarning: Invalid value: "ä\\nb": must only contain printable UTF-8 characters; non-printable character found at index 2',
      ],
    ],
    [
      'a warning of 257 bytes',
      [versionWith({ deprecated: true, deprecationWarning: 'x'.repeat(257) })],
      [
        'spec.versions[0].deprecationWarning: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be <= 256 characters long',
      ],
    ],
    ['a warning of 256 bytes', [versionWith({ deprecated: true, deprecationWarning: 'x'.repeat(256) })], ['accepted']],
  ])('%s', (_, versions, lines) => {
    expect(definitionLines(definitionWith({ versions }))).toEqual(lines);
  });

  it.each([
    [
      'that was stored is dropped',
      [versionWith({ name: 'v2' })],
      [versionWith()],
      [
        'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
      ],
    ],
    ['takes over storage', [versionWith({ storage: false }), versionWith({ name: 'v2' })], [versionWith()], ['accepted']],
    [
      'loses its schema',
      [versionWith({ schema: undefined })],
      [versionWith()],
      ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    ],
  ])('for a version %s', (_, versions, before, lines) => {
    expect(definitionLines(definitionWith({ versions }), definitionWith({ versions: before }))).toEqual(lines);
  });

  it('in 1.34 with a shorter error about a removed stored version', () => {
    const dropped = definitionWith({ versions: [versionWith({ name: 'v2' })] });
    expect(definitionLines(dropped, definitionWith({ versions: [versionWith()] }), '1.34')).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });

  it.each([
    [
      'a string and a number',
      column({ type: 'float' }),
      ['spec.additionalPrinterColumns[0].type: Invalid value: "float": must be one of boolean,date,integer,number,string'],
    ],
    [
      'no type',
      column({ type: '' }),
      ['spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string'],
    ],
    [
      'an unknown format',
      column({ format: 'hex' }),
      [
        'spec.additionalPrinterColumns[0].format: Invalid value: "hex": must be one of byte,date,date-time,double,float,int32,int64,password',
      ],
    ],
    [
      'a path without a dot',
      column({ jsonPath: 'spec.a' }),
      ['spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .'],
    ],
    ['no path', column({ jsonPath: '' }), ['spec.additionalPrinterColumns[0].JSONPath: Required value']],
    ['no name', column({ name: '' }), ['spec.additionalPrinterColumns[0].name: Required value']],
    ['a date', column({ type: 'date', format: 'date-time' }), ['accepted']],
  ])('for a printer column with %s', (_, version, lines) => {
    expect(definitionLines(definitionWith({ versions: [version] }))).toEqual(lines);
  });

  it.each([
    ['of spec and status', scale({}), ['accepted']],
    [
      'of a status for a spec',
      scale({ specReplicasPath: '.status.a' }),
      ['spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec'],
    ],
    [
      'without a path',
      scale({ specReplicasPath: '', statusReplicasPath: '' }),
      ['spec.subresources.scale.specReplicasPath: Required value', 'spec.subresources.scale.statusReplicasPath: Required value'],
    ],
    [
      'of a spec for a status',
      scale({ statusReplicasPath: '.spec.a' }),
      ['spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.a": should be a json path under .status'],
    ],
    [
      'of a path without a dot',
      scale({ statusReplicasPath: 'status.a' }),
      ['spec.subresources.scale.statusReplicasPath: Invalid value: "status.a": must be a simple json path starting with .'],
    ],
    [
      'with a selector outside of both',
      scale({ labelSelectorPath: '.metadata.labels' }),
      ['spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.labels": should be a json path under either .spec or .status'],
    ],
    ['with a selector of the status', scale({ labelSelectorPath: '.status.selector' }), ['accepted']],
  ])('for a scale subresource %s', (_, version, lines) => {
    expect(definitionLines(definitionWith({ versions: [version] }))).toEqual(lines);
  });

  it.each<[string, object, Minor, string[]]>([
    ['a string', selectable('.spec.a'), '1.37', ['accepted']],
    [
      'a list',
      selectable('.spec.list'),
      '1.37',
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.list": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ],
    ],
    [
      'what is not there',
      selectable('.spec.b'),
      '1.37',
      ['spec.selectableFields[0].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field'],
    ],
    [
      'metadata',
      selectable('.metadata.name'),
      '1.37',
      ['spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field'],
    ],
    ['the same twice', selectable('.spec.a', '.spec.a'), '1.37', ['spec.selectableFields[1].jsonPath: Duplicate value: ".spec.a"']],
    ['nothing', selectable(''), '1.37', ['spec.selectableFields[0].jsonPath: Required value']],
    ['eight fields', many(8), '1.37', ['accepted']],
    ['nine fields', many(9), '1.37', ['spec.selectableFields: Too many: 9: must have at most 8 items']],
    ['nine fields', many(9), '1.34', ['spec.selectableFields: Too many: 9: must have at most 8 items']],
  ])('for selectable fields: %s (%#)', (_, version, minor, lines) => {
    expect(definitionLines(definitionWith({ versions: [version] }), undefined, minor)).toEqual(lines);
  });

  it.each<[Minor, string[]]>([
    ['1.34', ['spec.selectableFields: Too many: 9: must have at most 8 items']],
    ['1.37', ['accepted']],
  ])('for nine selectable fields of the old definition, in %s', (minor, lines) => {
    const before = definitionWith({ versions: [many(9)] });
    expect(definitionLines(definitionWith({ versions: [many(9)], names: { shortNames: ['w'] } }), before, minor)).toEqual(lines);
  });
});
