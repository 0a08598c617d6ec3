import { goTrim } from '#go';
import { childPath, invalid, notSupported, required } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { resolveFieldPath } from '../../../rules/resolve-field-path.ts';
import type { ValidationRule } from '../../../schema/schema-props.ts';
import { toStructural } from '../../../structural/from-schema.ts';
import type { NodeDemands } from './node-demands.ts';
import type { SchemaNode } from './schema-node.ts';

const REASONS: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

/** Validates the texts of a rule without compiling the rule: `rule`, `message`, `messageExpression`, `reason` and `fieldPath`. */
export function checkRuleText({ schema }: SchemaNode, rule: ValidationRule, path: FieldPath, { wording }: NodeDemands): FieldError[] {
  const errors: FieldError[] = [];
  const text = goTrim(rule.rule);
  const message = goTrim(rule.message);
  const at = (name: string): FieldPath => childPath(path, name);
  const complain = (name: string, value: string, complaint: string): void => {
    errors.push(invalid(at(name), value, wording.about(name, complaint)));
  };
  if (text === '') errors.push(required(at('rule'), 'rule is not specified'));
  else if (rule.message !== '' && message === '') complain('message', rule.message, 'must be non-empty if specified');
  else if (hasLineBreak(message)) complain('message', rule.message, 'must not contain line breaks');
  else if (hasLineBreak(text) && message === '') {
    errors.push(required(at('message'), 'message must be specified if rule contains line breaks'));
  }
  if (rule.messageExpression !== '' && goTrim(rule.messageExpression) === '') {
    errors.push(required(at('messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) errors.push(notSupported(at('reason'), rule.reason, REASONS));
  if (rule.fieldPath === '') return errors;
  if (goTrim(rule.fieldPath) === '') complain('fieldPath', rule.fieldPath, 'must be non-empty if specified');
  if (hasLineBreak(rule.fieldPath)) complain('fieldPath', rule.fieldPath, 'must not contain line breaks');
  const converted = toStructural(schema);
  if (converted.ok && !resolveFieldPath(rule.fieldPath, converted.structural, true).ok) {
    complain('fieldPath', rule.fieldPath, 'must be a valid path');
  }
  return errors;
}
