import { expect, it } from 'vitest';
import { ChangedFields } from './rule-changes.ts';

const RULE = '.x-kubernetes-validations[0]';

it.each([
  ['spec.list', 'maxItems loosened', 'properties[spec].properties[list].items', 'self.x > 1', true],
  ['spec.list[*].name', 'pattern changed', 'properties[spec].properties[list].items.properties[name]', "self != ''", true],
  ['spec.list[*].name', 'maxLength loosened', 'properties[spec].properties[list].items.properties[nameless]', "self != ''", false],
  ['spec.list', 'maxItems loosened', 'properties[spec].properties[listed].items', 'self.x > 1', false],
  ['spec.map[*]', 'maxLength loosened', 'properties[spec].properties[map].additionalProperties', "self != ''", true],
  ['spec', 'rule added', 'properties[spec]', 'self.x > 1', false],
  ['spec.list', 'rule removed', 'properties[spec]', 'self.list.size() > 1', false],
  ['', 'version no longer served', 'properties[spec]', 'self.x > 1', false],
  ['spec.list[*].name', 'maxLength loosened', 'properties[spec]', "self.list.all(x, x.name != '')", true],
  ['spec.list[*].name', 'maxLength loosened', 'properties[spec]', 'self == oldSelf', true],
  ['spec.list[*].name', 'maxLength loosened', 'properties[spec]', 'self.lists.size() > 1', false],
  ['spec.a.b.c', 'maxLength loosened', 'properties[spec]', 'self.a.b.d > 1', false],
  ['spec.a.b.c', 'maxLength loosened', 'properties[spec]', 'self.a.b == oldSelf.a.b', true],
  ['spec.a.b.c', 'maxLength loosened', 'properties[spec]', 'has(self.a) && has(self.a.b)', false],
  ['spec.a.b.c', 'maxLength loosened', 'properties[spec]', 'self.?a.?b.?c.hasValue()', true],
  ['spec.a-b', 'maxLength loosened', 'properties[spec]', "self.a__dash__b != ''", true],
])('a change at %j (%s) affects a rule at %s (%s): %s', (path, change, node, rule, isTouched) => {
  const fields = new ChangedFields([{ version: 'v1', path, change, breaking: false }]);
  expect(fields.touches({ version: 'v1', path: `${node}${RULE}`, rule })).toBe(isTouched);
  expect(fields.touches({ version: 'v2', path: `${node}${RULE}`, rule })).toBe(false);
});
