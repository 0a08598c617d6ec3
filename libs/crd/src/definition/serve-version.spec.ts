import { describe, expect, it } from 'vitest';
import { definitionWith, versionWith, widget } from '../testing/definition-fixture.ts';
import { objectLines } from '../testing/outcomes.ts';

/**
 * Returns versions with the given names; the first one is the storage version. Names with `!` are deprecated, and names with `-` are not
 * served.
 */
const versions = (names: string) =>
  names.split(' ').map((name, i) =>
    versionWith({
      name: name.replace(/[!-]/, ''),
      storage: i === 0,
      ...(name.includes('!') && { deprecated: true }),
      ...(name.includes('-') && { served: false }),
    }),
  );

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe('a write in a version that may be deprecated', () => {
  it.each([
    [
      'v1 v1beta1!',
      'v1beta1',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget'],
    ],
    [
      'v1beta1! v1alpha1 v1 v2',
      'v1beta1',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget'],
    ],
    [
      'v1alpha1! v1beta1',
      'v1alpha1',
      [
        'stores {"metadata":{"generation":1},"spec":{}}',
        'warning: example.com/v1alpha1 Widget is deprecated; use example.com/v1beta1 Widget',
      ],
    ],
    ['v1! v1beta1', 'v1', ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v1 Widget is deprecated']],
    [
      'v2! v10 v9',
      'v2',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v2 Widget is deprecated; use example.com/v10 Widget'],
    ],
    [
      'v1beta2! v1beta10 v1beta9',
      'v1beta2',
      [
        'stores {"metadata":{"generation":1},"spec":{}}',
        'warning: example.com/v1beta2 Widget is deprecated; use example.com/v1beta10 Widget',
      ],
    ],
    [
      'foo! v1alpha1',
      'foo',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/foo Widget is deprecated; use example.com/v1alpha1 Widget'],
    ],
    [
      'foo! bar goo',
      'foo',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/foo Widget is deprecated; use example.com/bar Widget'],
    ],
    ['v1! v2- v3!', 'v1', ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v1 Widget is deprecated']],
    [
      'v1beta1! v1! v1beta2',
      'v1beta1',
      [
        'stores {"metadata":{"generation":1},"spec":{}}',
        'warning: example.com/v1beta1 Widget is deprecated; use example.com/v1beta2 Widget',
      ],
    ],
    [
      'v1alpha1! v0alpha9 v1alpha01',
      'v1alpha1',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v1alpha1 Widget is deprecated'],
    ],
    [
      'v0! v9223372036854775807 v9223372036854775808',
      'v0',
      [
        'stores {"metadata":{"generation":1},"spec":{}}',
        'warning: example.com/v0 Widget is deprecated; use example.com/v9223372036854775807 Widget',
      ],
    ],
    [
      'v1alpha1! v1x v01',
      'v1alpha1',
      ['stores {"metadata":{"generation":1},"spec":{}}', 'warning: example.com/v1alpha1 Widget is deprecated; use example.com/v01 Widget'],
    ],
  ])("gets the server's warnings: versions %s, write to %s", (names, version, lines) => {
    const definition = definitionWith({ versions: versions(names) });
    expect(objectLines(definition, { body: widget({}, { apiVersion: `example.com/${version}` }), version })).toEqual(lines);
  });

  it("gets the deprecation warning of the definition's author", () => {
    const definition = definitionWith({ versions: [versionWith({ deprecated: true, deprecationWarning: 'use gadgets' })] });
    expect(objectLines(definition, { body: widget({}) })).toEqual([
      'stores {"metadata":{"generation":1},"spec":{}}',
      'warning: use gadgets',
    ]);
  });
});
