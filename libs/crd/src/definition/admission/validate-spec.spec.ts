import { describe, expect, it } from 'vitest';
import { definitionWith } from '../../testing/definition-fixture.ts';
import { definitionLines } from '../../testing/outcomes.ts';

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe("the spec of a definition gets the server's verdict", () => {
  it.each([
    [
      'a plural in capitals',
      { plural: 'Widgets' },
      [
        'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
        `spec.names.plural: Invalid value: "Widgets": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'a plural that the name does not begin with',
      { plural: 'gadgets' },
      ['metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'a plural with a digit first',
      { plural: '2widgets' },
      [
        'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
        `spec.names.plural: Invalid value: "2widgets": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'no plural',
      { plural: '' },
      [
        'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
        'spec.names.plural: Required value',
      ],
    ],
    [
      'a singular in capitals',
      { singular: 'Widget' },
      [
        `spec.names.singular: Invalid value: "Widget": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'a kind that begins with a digit',
      { kind: '1Widget' },
      [
        `spec.names.kind: Invalid value: "1Widget": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        `spec.names.listKind: Invalid value: "1WidgetList": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        `spec.names.singular: Invalid value: "1widget": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    ['a kind in mixed case', { kind: 'WidGet' }, ['accepted']],
    [
      'no kind',
      { kind: '' },
      ['spec.names.kind: Required value', 'spec.names.listKind: Required value', 'spec.names.singular: Required value'],
    ],
    [
      'a kind with a dot',
      { kind: 'Wid.get' },
      [
        `spec.names.kind: Invalid value: "Wid.get": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        `spec.names.listKind: Invalid value: "Wid.getList": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        `spec.names.singular: Invalid value: "wid.get": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'a list kind that is the kind',
      { listKind: 'Widget' },
      ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
    ],
    [
      'a list kind with an underscore',
      { listKind: 'Widget_List' },
      [
        `spec.names.listKind: Invalid value: "Widget_List": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'short names, the second with a blank',
      { shortNames: ['w', 'w w'] },
      [
        `spec.names.shortNames[1]: Invalid value: "w w": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'categories, the first in capitals',
      { categories: ['All', 'all'] },
      [
        `spec.names.categories[0]: Invalid value: "All": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
  ])('for these names: %s', (_, names, lines) => {
    expect(definitionLines(definitionWith({ names }))).toEqual(lines);
  });

  it.each([
    ['the kind', { kind: 'Gadget' }, ['spec.names.kind: Invalid value: "Gadget": field is immutable']],
    ['the plural', { plural: 'gadgets' }, ['spec.names.plural: Invalid value: "gadgets": field is immutable']],
    ['the singular', { singular: 'one' }, ['accepted']],
    ['the list kind', { listKind: 'Widgetry' }, ['accepted']],
  ])('if an update of an established definition changes %s', (_, names, lines) => {
    expect(definitionLines(definitionWith({ names }), definitionWith({}))).toEqual(lines);
  });

  it.each([
    [
      'with two dots in a row',
      { group: 'example..com' },
      [
        `metadata.name: Invalid value: "widgets.example..com": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        `spec.group: Invalid value: "example..com": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    ['without a dot', { group: 'example' }, ['spec.group: Invalid value: "example": should be a domain with at least one dot']],
    [
      'in capitals',
      { group: 'Example.com' },
      [
        `metadata.name: Invalid value: "widgets.Example.com": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        `spec.group: Invalid value: "Example.com": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'that is not there',
      { group: '' },
      [
        `metadata.name: Invalid value: "widgets.": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        'spec.group: Required value',
      ],
    ],
  ])('for a group %s', (_, spec, lines) => {
    expect(definitionLines(definitionWith(spec, { name: `widgets.${spec.group}` }))).toEqual(lines);
  });

  it.each([
    [
      'nothing',
      undefined,
      [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    ['a reason why it is not approved', 'unapproved, a test', ['accepted']],
    ['a URL', 'https://github.com/kubernetes/kubernetes/pull/1', ['accepted']],
    [
      'a URL without a host',
      'https://',
      [
        'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "https://": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    [
      'a word',
      'yes',
      [
        'metadata.annotations[api-approved.kubernetes.io]: Invalid value: "yes": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
  ])('for a group of the Kubernetes community whose api-approved annotation has %s', (_, text, lines) => {
    const metadata = { name: 'widgets.sigs.k8s.io', annotations: text === undefined ? {} : { 'api-approved.kubernetes.io': text } };
    expect(definitionLines(definitionWith({ group: 'sigs.k8s.io' }, metadata))).toEqual(lines);
  });

  it.each([
    ['another scope', { scope: 'Everywhere' }, ['spec.scope: Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced"']],
    ['no scope', { scope: '' }, ['spec.scope: Required value']],
    [
      'unknown fields preserved',
      { preserveUnknownFields: true },
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
  ])('for %s', (_, spec, lines) => {
    expect(definitionLines(definitionWith(spec))).toEqual(lines);
  });
});
