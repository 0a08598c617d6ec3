import { expect, it } from 'vitest';
import { ChangedFields } from './rule-changes.ts';

const RULE = '.x-kubernetes-validations[0]';

it.each([
  ['spec.list', 'maxItems loosened', 'properties[spec].properties[list].items', true],
  ['spec.list[*].name', 'maxLength loosened', 'properties[spec]', true],
  ['spec.list[*].name', 'pattern changed', 'properties[spec].properties[list].items.properties[name]', true],
  ['spec.list[*].name', 'maxLength loosened', 'properties[spec].properties[list].items.properties[nameless]', false],
  ['spec.list', 'maxItems loosened', 'properties[spec].properties[listed].items', false],
  ['spec.map[*]', 'maxLength loosened', 'properties[spec].properties[map].additionalProperties', true],
  ['spec', 'rule added', 'properties[spec]', false],
  ['spec.list', 'rule removed', 'properties[spec]', false],
  ['', 'version no longer served', 'properties[spec]', false],
])('a change at %j (%s) touches a rule at %s: %s', (path, change, node, isTouched) => {
  const fields = new ChangedFields([{ version: 'v1', path, change, breaking: false }]);
  expect(fields.touches({ version: 'v1', path: `${node}${RULE}` })).toBe(isTouched);
  expect(fields.touches({ version: 'v2', path: `${node}${RULE}` })).toBe(false);
});
