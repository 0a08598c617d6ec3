import { newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { joinPath } from '../../schema/decoder.ts';
import type { Decoder } from '../../schema/decoder.ts';
import { ABSENT_LIST } from '../../schema/schema-props.ts';
import type { ExternalDocs, ValidationRule } from '../../schema/schema-props.ts';
import type { Form } from '../form.ts';
import { struct, structList } from '../../schema/go-struct-json.ts';

const RULE_FIELDS: ReadonlySet<string> = new Set(['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf']);
const DOCS_FIELDS: ReadonlySet<string> = new Set(['description', 'url']);

function decodeRule(decoder: Decoder, value: JsonValue, path: string): ValidationRule {
  const json = decoder.fields(value, path, 'v1.ValidationRule', RULE_FIELDS);
  const text = (key: string): string => decoder.string(json?.[key], joinPath(path, key));
  return {
    rule: text('rule'),
    message: text('message'),
    messageExpression: text('messageExpression'),
    reason: decoder.optionalString(json?.['reason'], joinPath(path, 'reason'), 'v1.FieldValueErrorReason'),
    fieldPath: text('fieldPath'),
    optionalOldSelf: decoder.optionalBool(json?.['optionalOldSelf'], joinPath(path, 'optionalOldSelf')),
  };
}

/** Returns a JSON object with those fields whose value is neither undefined nor an empty string. */
function withoutEmpty(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const json = newJsonObject();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined && value !== '') json[key] = value;
  return json;
}

function encodeRule({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): JsonObject {
  const json = newJsonObject();
  json['rule'] = rule;
  Object.assign(json, withoutEmpty({ message, messageExpression }));
  if (reason !== undefined) json['reason'] = reason;
  return Object.assign(json, withoutEmpty({ fieldPath, optionalOldSelf }));
}

/** Returns a rule as Go's encoding/json writes it: `{"Rule":"…","Message":"",…}`. */
export function ruleStruct(rule: ValidationRule): JsonObject {
  return struct([
    ['Rule', rule.rule],
    ['Message', rule.message],
    ['MessageExpression', rule.messageExpression],
    ['Reason', rule.reason],
    ['FieldPath', rule.fieldPath],
    ['OptionalOldSelf', rule.optionalOldSelf],
  ]);
}

/** Functions that decode and encode the value of `x-kubernetes-validations`, a list of CEL rules. */
export const RULES: Form<readonly ValidationRule[]> = {
  absent: ABSENT_LIST,
  blank: 'empty',
  isAbsent: (rules) => rules.length === 0,
  isZero: (rules) => rules === ABSENT_LIST,
  decode: (decoder, json, path) =>
    decoder.list(json, path, 'v1.ValidationRules', (item, where) => decodeRule(decoder, item, where)) ?? ABSENT_LIST,
  encode: (rules) => (rules.length === 0 ? undefined : rules.map(encodeRule)),
  struct: (rules) => structList(rules, ruleStruct),
};

/** Functions that decode and encode a keyword's value that refers to external documentation. */
export const DOCS: Form<ExternalDocs | undefined> = {
  absent: undefined,
  blank: 'undefined',
  isAbsent: (docs) => docs === undefined,
  isZero: (docs) => docs === undefined,
  decode: (decoder, value, path) => {
    const json = decoder.fields(value, path, 'v1.ExternalDocumentation', DOCS_FIELDS);
    const text = (key: string): string => decoder.string(json?.[key], joinPath(path, key));
    return json && { description: text('description'), url: text('url') };
  },
  encode: (docs) => docs && withoutEmpty({ description: docs.description, url: docs.url }),
  struct: (docs) =>
    docs === undefined
      ? null
      : struct([
          ['Description', docs.description],
          ['URL', docs.url],
        ]),
};
