import { goTrim } from '#go';
import {
  childPath,
  EXPRESSION_COST_LIMIT,
  forbidden,
  indexPath,
  internalError,
  invalid,
  keyPath,
  notSupported,
  pathText,
  required,
  structValue,
} from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { mapIsCorrelatable } from '../../rules/evaluate-rules.ts';
import { resolveFieldPath } from '../../rules/resolve-field-path.ts';
import { itemsStruct, ruleStruct } from '../../schema/go-struct-json.ts';
import type { SchemaProps, ValidationRule } from '../../schema/schema-props.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { META_FIELDS } from '../../structural/resource-root.ts';
import { costText } from './cost-text.ts';
import { addCost } from './rule-context.ts';
import type { RuleCompilation, RuleContext } from './rule-context.ts';
import { totalCost } from './rule-costs.ts';
import type { DefinitionWording } from './wording.ts';

/** Types that a schema may have, as errors list them. */
export const OPENAPI_TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const REASONS: readonly string[] = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

/** What is demanded of all nodes of a schema. */
export interface NodeDemands {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  /** Expressions are not refused for their own cost. */
  readonly suppressCost: boolean;
  readonly wording: DefinitionWording;
}

/** What the way to a node forbids there. */
interface Surroundings {
  /** Why defaults are forbidden, if they are. */
  readonly forbidDefault: string | undefined;
  readonly insideMetadata: boolean;
  /** The outermost schema path below which old values cannot be matched with new ones. */
  readonly uncorrelatable: FieldPath | undefined;
}

/** Errors of a schema: those about the schema itself, and those about rules, which only count while the former are none. */
export interface NodeErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** A rule's part in the cost of a schema. */
export interface ExpensiveExpression {
  readonly path: FieldPath;
  readonly cost: bigint;
}

/** Expressions below this share of the limit are not named when the total is too high. */
const NAMED_FROM = 1_000_000n;
const NAMED_AT_MOST = 4;

/**
 * Checks every node of a schema, children before their parent's rules.
 * Source: apiextensions-apiserver validation.go `ValidateCustomResourceDefinitionOpenAPISchema` (1.37).
 */
export class SchemaNodeCheck {
  /** Sum of all expressions that were reached. */
  total = 0n;
  /** The most expensive ones, at most four. */
  expensive: ExpensiveExpression[] = [];
  private readonly demands: NodeDemands;

  constructor(demands: NodeDemands) {
    this.demands = demands;
  }

  /** `context` is undefined when rules are not to be compiled. */
  root(schema: SchemaProps, path: FieldPath, context: RuleContext | undefined): FieldError[] {
    const around = { forbidDefault: undefined, insideMetadata: false, uncorrelatable: undefined };
    const errors = this.node(schema, path, around, true, context);
    return [...errors.schema, ...errors.rules];
  }

  private node(schema: SchemaProps, path: FieldPath, around: Surroundings, isRoot: boolean, context: RuleContext | undefined): NodeErrors {
    const errors: NodeErrors = { schema: [], rules: [] };
    const child = (inner: SchemaProps | undefined, at: FieldPath, innerAround: Surroundings, innerContext?: RuleContext): void => {
      if (inner === undefined) return;
      const found = this.node(inner, at, innerAround, false, innerContext);
      errors.schema.push(...found.schema);
      errors.rules.push(...found.rules);
    };
    this.keywords(schema, path, around, errors.schema);
    if (schema.uniqueItems) {
      const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
      errors.schema.push(forbidden(childPath(path, 'uniqueItems'), detail));
    }
    const additional = schema.additionalProperties;
    if (additional !== undefined) {
      const at = childPath(path, 'additionalProperties');
      if ((schema.properties?.size ?? 0) > 0 && (!additional.allows || additional.schema !== undefined)) {
        errors.schema.push(forbidden(at, 'additionalProperties and properties are mutual exclusive'));
      }
      const reason = 'inside additionalProperties applying to object metadata';
      child(
        additional.schema,
        at,
        around.insideMetadata ? { ...around, forbidDefault: reason } : around,
        context?.additionalProperties(additional.schema),
      );
    }
    for (const [key, property] of schema.properties ?? []) {
      const at = keyPath(childPath(path, 'properties'), key);
      child(property, at, this.aroundProperty(schema, key, path, around, isRoot), context?.property(key, property));
    }
    child(schema.not, childPath(path, 'not'), around);
    schema.allOf.forEach((branch, i) => child(branch, indexPath(childPath(path, 'allOf'), i), around));
    schema.oneOf.forEach((branch, i) => child(branch, indexPath(childPath(path, 'oneOf'), i), around));
    schema.anyOf.forEach((branch, i) => child(branch, indexPath(childPath(path, 'anyOf'), i), around));
    for (const [key, definition] of schema.definitions ?? []) child(definition, keyPath(childPath(path, 'definitions'), key), around);
    if (schema.items !== undefined) {
      const itemsAround = schema.listType === 'map' ? around : { ...around, uncorrelatable: around.uncorrelatable ?? path };
      child(schema.items.schema, childPath(path, 'items'), itemsAround, context?.items(schema.items.schema));
      schema.items.schemas.forEach((item, i) => child(item, indexPath(childPath(path, 'items'), i), itemsAround, context?.items(item)));
    }
    for (const [key, dependency] of schema.dependencies ?? []) {
      child(dependency.schema, keyPath(childPath(path, 'dependencies'), key), around);
    }
    this.extensions(schema, path, errors.schema);
    schema.rules.forEach((rule, i) =>
      this.ruleText(schema, rule, indexPath(childPath(path, 'x-kubernetes-validations'), i), errors.schema),
    );
    if (schema.rules.length > 0 && errors.schema.length === 0 && context !== undefined)
      this.rules(schema, path, around, context, errors.rules);
    return errors;
  }

  private aroundProperty(schema: SchemaProps, key: string, path: FieldPath, around: Surroundings, isRoot: boolean): Surroundings {
    const uncorrelatable = mapIsCorrelatable(schema.mapType) ? around.uncorrelatable : (around.uncorrelatable ?? path);
    if (!(isRoot || schema.embeddedResource) || !META_FIELDS.has(key)) return { ...around, uncorrelatable };
    const forbidDefault = isRoot ? `in top-level ${key}` : around.forbidDefault;
    return { forbidDefault, insideMetadata: true, uncorrelatable };
  }

  /** Source: `specStandardValidatorV3.validate` (1.37). */
  private keywords(schema: SchemaProps, path: FieldPath, around: Surroundings, errors: FieldError[]): void {
    if (this.demands.requireKnownTypes && schema.type !== '' && !OPENAPI_TYPES.includes(schema.type)) {
      errors.push(notSupported(childPath(path, 'type'), schema.type, OPENAPI_TYPES));
    }
    if (schema.default !== undefined && around.forbidDefault !== undefined) {
      errors.push(forbidden(childPath(path, 'default'), `must not be set ${around.forbidDefault}`));
    }
    const unsupported = (keyword: string, present: boolean): void => {
      if (present) errors.push(forbidden(childPath(path, keyword), `${keyword} is not supported`));
    };
    unsupported('id', schema.id !== '');
    unsupported('additionalItems', schema.additionalItems !== undefined);
    unsupported('patternProperties', (schema.patternProperties?.size ?? 0) > 0);
    unsupported('definitions', (schema.definitions?.size ?? 0) > 0);
    unsupported('dependencies', schema.dependencies !== undefined);
    unsupported('$ref', schema.ref !== undefined);
    if (schema.type === 'null')
      errors.push(forbidden(childPath(path, 'type'), 'type cannot be set to null, use nullable as an alternative'));
    if ((schema.items?.schemas.length ?? 0) > 0) {
      errors.push(forbidden(childPath(path, 'items'), 'items must be a schema object and not an array'));
    }
    if (around.insideMetadata && schema.embeddedResource) {
      errors.push(forbidden(childPath(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
    }
  }

  /** The x-kubernetes-* keywords about structure. */
  private extensions(schema: SchemaProps, path: FieldPath, errors: FieldError[]): void {
    const at = (...names: string[]): FieldPath => childPath(path, ...names);
    if (schema.preserveUnknownFields === false) {
      errors.push(invalid(at('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
    }
    const wantType = (type: string, detail: string): void => {
      if (schema.type !== type) errors.push(schema.type === '' ? required(at('type'), detail) : invalid(at('type'), schema.type, detail));
    };
    if (schema.mapType !== undefined) {
      wantType('object', 'must be object if x-kubernetes-map-type is specified');
      if (schema.mapType !== 'atomic' && schema.mapType !== 'granular') {
        errors.push(notSupported(at('x-kubernetes-map-type'), schema.mapType, ['atomic', 'granular']));
      }
    }
    if (schema.listType !== undefined) {
      if (schema.type !== 'array') wantType('array', 'must be array if x-kubernetes-list-type is specified');
      else this.atomicSet(schema, path, errors);
      if (!['atomic', 'set', 'map'].includes(schema.listType)) {
        errors.push(notSupported(at('x-kubernetes-list-type'), schema.listType, ['atomic', 'set', 'map']));
      }
    }
    if (schema.listMapKeys.length > 0 && schema.listType !== 'map') {
      const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
      const place = at('x-kubernetes-list-type');
      errors.push(schema.listType === undefined ? required(place, detail) : invalid(place, schema.listType, detail));
    }
    if (schema.listType === 'map') mapListItems(schema, path, errors);
    if (this.demands.requireMapListKeys) errors.push(...mapListKeyErrors(schema, path));
  }

  /** Items of sets must be atomic. The bad value is the list type, also where the map type is wrong, as upstream has it. */
  private atomicSet(schema: SchemaProps, path: FieldPath, errors: FieldError[]): void {
    const items = schema.items?.schema;
    if (!this.demands.requireAtomicSets || schema.listType !== 'set' || items === undefined) return;
    const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    const bad = structValue(items.listType ?? null);
    if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic') {
      errors.push(invalid(childPath(path, 'items', 'x-kubernetes-list-type'), bad, detail));
    } else if (items.type === 'object' && items.mapType !== 'atomic') {
      errors.push(invalid(childPath(path, 'items', 'x-kubernetes-map-type'), bad, detail));
    }
  }

  /** What can be said of a rule without compiling it. */
  private ruleText(schema: SchemaProps, rule: ValidationRule, path: FieldPath, errors: FieldError[]): void {
    const text = goTrim(rule.rule);
    const message = goTrim(rule.message);
    const at = (name: string): FieldPath => childPath(path, name);
    const complain = (name: string, value: string, complaint: string): void => {
      errors.push(invalid(at(name), value, this.demands.wording.about(name, complaint)));
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
    if (rule.fieldPath === '') return;
    if (goTrim(rule.fieldPath) === '') complain('fieldPath', rule.fieldPath, 'must be non-empty if specified');
    if (hasLineBreak(rule.fieldPath)) complain('fieldPath', rule.fieldPath, 'must not contain line breaks');
    const converted = toStructural(schema);
    if (converted.ok && !resolveFieldPath(rule.fieldPath, converted.structural, true).ok) {
      complain('fieldPath', rule.fieldPath, 'must be a valid path');
    }
  }

  private rules(schema: SchemaProps, path: FieldPath, around: Surroundings, context: RuleContext, errors: FieldError[]): void {
    const at = childPath(path, 'x-kubernetes-validations');
    const compiled = context.compile();
    if (!compiled.ok) {
      const prefix = 'internal error: failed to construct type information for x-kubernetes-validations rules: ';
      errors.push(internalError(at, compiled.typeInformation ? prefix + compiled.error : compiled.error));
      return;
    }
    compiled.rules.forEach((rule, i) => {
      const cost = totalCost(rule, context, compiled.minSizeCardinality);
      this.ruleErrors(rule, cost, indexPath(at, i), around, errors);
    });
  }

  private ruleErrors(rule: RuleCompilation, cost: bigint, path: FieldPath, around: Surroundings, errors: FieldError[]): void {
    const bad = structValue(ruleStruct(rule.rule));
    const rulePath = childPath(path, 'rule');
    const messagePath = childPath(path, 'messageExpression');
    this.observe(rulePath, cost, 'estimated rule cost', errors);
    if (rule.error !== undefined) errors.push(invalid(rulePath, bad, rule.error));
    if (rule.messageError !== undefined) errors.push(invalid(messagePath, bad, rule.messageError));
    else if (rule.messageMaxCost !== undefined) this.observe(messagePath, rule.messageMaxCost, 'estimated messageExpression cost', errors);
    if (rule.usesOldSelf) {
      if (around.uncorrelatable === undefined) return;
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${pathText(around.uncorrelatable)}`;
      errors.push(invalid(rulePath, rule.rule.rule, detail));
    } else if (rule.rule.optionalOldSelf !== undefined) {
      errors.push(invalid(childPath(path, 'optionalOldSelf'), rule.rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
    }
  }

  private observe(path: FieldPath, cost: bigint, what: string, errors: FieldError[]): void {
    if (!this.demands.suppressCost && cost > EXPRESSION_COST_LIMIT)
      errors.push(forbidden(path, costText(what, cost, EXPRESSION_COST_LIMIT)));
    this.total = addCost(this.total, cost);
    if (cost < NAMED_FROM) return;
    this.expensive.push({ path, cost });
    this.expensive.sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
    this.expensive.length = Math.min(this.expensive.length, NAMED_AT_MOST);
  }
}

/** What the items of a list of type map must be like. */
function mapListItems(schema: SchemaProps, path: FieldPath, errors: FieldError[]): void {
  const at = (...names: string[]): FieldPath => childPath(path, ...names);
  const keys = [...schema.listMapKeys];
  if (keys.length === 0) errors.push(required(at('x-kubernetes-list-map-keys'), 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined) {
    errors.push(required(at('items'), 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  const items = schema.items.schema;
  if (items === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    errors.push(invalid(at('items'), structValue(itemsStruct(schema.items)), detail));
    return;
  }
  if (items.type !== 'object') {
    errors.push(invalid(at('items', 'type'), items.type, "must be object if parent array's x-kubernetes-list-type is map"));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.get(key);
    if (property === undefined) {
      errors.push(invalid(at('x-kubernetes-list-map-keys'), keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const place = childPath(keyPath(at('items', 'properties'), key), 'type');
      errors.push(invalid(place, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (seen.has(key)) errors.push(invalid(at('x-kubernetes-list-map-keys'), keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

/** Items of sets and map lists must not be null, and keys must always have a value. Source: `validateMapListKeysMapSet` (1.37). */
export function mapListKeyErrors(schema: SchemaProps, path: FieldPath | undefined): FieldError[] {
  const items = schema.items?.schema;
  if (items === undefined || (schema.listType !== 'set' && schema.listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    errors.push(forbidden(childPath(path, 'items', 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${schema.listType}`));
  }
  if (schema.listType !== 'map') return errors;
  const always = new Set(items.required);
  for (const key of schema.listMapKeys) {
    const property = items.properties?.get(key);
    if (property === undefined) continue;
    const at = keyPath(childPath(path, 'items', 'properties'), key);
    const isKey = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!always.has(key) && property.default === undefined) {
      errors.push(required(childPath(at, 'default'), `${isKey} must have a default or be a required property`));
    }
    if (property.nullable) errors.push(forbidden(childPath(at, 'nullable'), `${isKey} cannot be nullable`));
  }
  return errors;
}
