import { structuralOptions } from '../../minors/validation-behaviour.ts';
import { childPath, forbidden, invalid, SCHEMA_COST_LIMIT, structValue } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { validateStructural } from '../../structural/validate-structural.ts';
import { CONTRIBUTED, costText } from './rule-costs.ts';
import type { AdmissionOptions } from './options.ts';
import type { RuleContext } from './rule-context.ts';
import { checkNodes } from './nodes/check-nodes.ts';
import { SchemaNode } from './nodes/schema-node.ts';
import { validateDefaults } from './validate-defaults.ts';
import { schemaStruct } from '../../schema/go-struct-json.ts';

/** Settings of a version that affect the validation of its schema. */
export interface SchemaSetting {
  readonly statusEnabled: boolean;
  readonly options: AdmissionOptions;
  /** True if a rule is accepted even if it exceeds the cost limit of a single rule. */
  readonly suppressCost: boolean;
  /** Context that compiles the schema's rules. Rules are compiled only if the schema is structural. */
  readonly context: RuleContext;
}

/**
 * Returns all errors of one version's schema. `path` is the path of the field that contains `openAPIV3Schema`. Source: validation.go
 * `validateCustomResourceDefinitionValidation` (1.37).
 */
export function validateSchema(schema: SchemaProps, path: FieldPath, setting: SchemaSetting): FieldError[] {
  const at = childPath(path, 'openAPIV3Schema');
  const { options } = setting;
  const errors = validateRootSchema(schema, at, setting.statusEnabled);
  let unstructured: FieldError | undefined;
  let context: RuleContext | undefined;
  if (options.requireStructural) {
    const converted = toStructural(schema);
    if (!converted.ok) unstructured = invalid(at, '', converted.error);
    else {
      const found = validateStructural(at, converted.structural, structuralOptions(options.minor));
      if (found.length > 0) errors.push(...found);
      else {
        const defaults = validateDefaults(at, schema, converted.structural, options);
        if (!defaults.ok) errors.push(invalid(at, '', defaults.error));
        else if (defaults.errors.length > 0) errors.push(...defaults.errors);
        else context = setting.context;
      }
    }
  }
  const { requireKnownTypes, requireAtomicSets, requireMapListKeys, wording } = options;
  const demands = { requireKnownTypes, requireAtomicSets, requireMapListKeys, wording, suppressCost: setting.suppressCost };
  const checked = checkNodes(SchemaNode.root(schema, at, context), demands);
  errors.push(...checked.errors);
  if (errors.length === 0 && unstructured !== undefined) errors.push(unstructured);
  if (context !== undefined && checked.cost.total > SCHEMA_COST_LIMIT) {
    for (const { path: expensive } of checked.cost.expensive) {
      errors.push(forbidden(expensive, CONTRIBUTED));
    }
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    errors.push(forbidden(at, costText(what, checked.cost.total, SCHEMA_COST_LIMIT)));
  }
  return errors;
}

/** Fields that the root of a schema may have if the status subresource is enabled, in the order of the error message. */
const ALLOWED: readonly string[] = [
  ['Description', 'Type', 'Format', 'Title', 'Maximum', 'ExclusiveMaximum', 'Minimum', 'ExclusiveMinimum', 'MaxLength', 'MinLength'],
  ['Pattern', 'MaxItems', 'MinItems', 'UniqueItems', 'MultipleOf', 'Required', 'Items', 'Properties', 'ExternalDocs', 'Example'],
  ['XPreserveUnknownFields', 'XValidations'],
].flat();
const ALLOWED_SET: ReadonlySet<string> = new Set(ALLOWED);

/** Fields that count as set even if their value is empty, because they are pointers in Go. */
const POINTERS: ReadonlySet<string> = new Set(['Ref', 'Default', 'Example', 'XPreserveUnknownFields', 'XListType', 'XMapType']);

/**
 * Returns errors for the fields that the root of a schema must not have. Source: validation.go
 * `validateCustomResourceDefinitionValidation` (1.37).
 */
function validateRootSchema(schema: SchemaProps, path: FieldPath, statusEnabled: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (statusEnabled) {
    // The root may always have `items` and `properties`. Leaving them out avoids converting their values, which may be large.
    const json = schemaStruct({ ...schema, items: undefined, properties: undefined });
    for (const field of Object.keys(json)) {
      const value = json[field];
      if (value === null || ((value === '' || value === false) && !POINTERS.has(field))) continue;
      if (field === 'Type') {
        if (schema.type === 'object') continue;
        const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
        errors.push(invalid(childPath(path, 'type'), schema.type, detail));
        break;
      }
      if (ALLOWED_SET.has(field)) continue;
      const detail = `only [${ALLOWED.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
      errors.push(invalid(path, structValue(schemaStruct(schema)), detail));
      break;
    }
  }
  if (schema.nullable) errors.push(forbidden(childPath(path, 'nullable'), 'nullable cannot be true at the root'));
  return errors;
}
