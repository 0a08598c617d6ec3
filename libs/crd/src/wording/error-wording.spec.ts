import { describe, expect, it } from 'vitest';
import { wordedDefinitionErrors, wordedErrors } from './error-wording.ts';
import { fieldErrorBody, invalid, structValue } from '../../../kube/src/field-error.ts';
import type { FieldError } from '../../../kube/src/field-error.ts';
import { readJson } from '../../../go/src/json/read-json.ts';
import type { JsonValue } from '../../../go/src/json/value.ts';

function value(text: string): JsonValue {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

const bodies = (errors: readonly FieldError[]): string[] => errors.map(fieldErrorBody);

// The texts of 1.33 come from openshift/api (tests of 1.32 servers) and from the oracle of 1.31.
describe('values in error messages', () => {
  it.each([
    ['null', 'Invalid value: "null": no', 'Invalid value: null: no'],
    [
      '{"b":[1,null,1.5],"a":"x"}',
      'Invalid value: map[string]interface {}{"a":"x", "b":[]interface {}{1, interface {}(nil), 1.5}}: no',
      'Invalid value: {"a":"x","b":[1,null,1.5]}: no',
    ],
    ['"text"', 'Invalid value: "text": no', 'Invalid value: "text": no'],
    ['true', 'Invalid value: true: no', 'Invalid value: true: no'],
  ])('are shown in Go syntax before 1.34: %s', (text, before, since) => {
    const errors = [invalid('spec', value(text), 'no')];
    expect(bodies(wordedErrors(errors, '1.33'))).toEqual([before]);
    expect(bodies(wordedErrors(errors, '1.34'))).toEqual([since]);
  });

  it('are shown as Go structs before 1.34 if they are rules', () => {
    const rule = structValue(
      value('{"Rule":"self > \\"a\\"","Message":"","MessageExpression":"","Reason":null,"FieldPath":".x","OptionalOldSelf":null}'),
    );
    expect(bodies(wordedDefinitionErrors([invalid('rule', rule, 'no')], '1.33'))).toEqual([
      'Invalid value: apiextensions.ValidationRule{Rule:"self > \\"a\\"", Message:"", MessageExpression:"", Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:".x", OptionalOldSelf:(*bool)(nil)}: no',
    ]);
  });
});
