import { compareBytes, compileRegex, memoizeWeak } from '#go';
import { childPath, fieldErrorText, forbidden, indexPath, invalid, keyPath, reportedBecauseOf, required, pathText } from '#kube';
import type { Change, FieldError, FieldPath } from '#kube';
import type { BlankWord } from '../keywords/form.ts';
import { CRD_CHANGES } from '../minors/minors.ts';
import { changesOfCounting, isIntOrStringChoice, restrictsOnlyNames } from './nested-emptiness.ts';
import type { CountingOptions } from './nested-emptiness.ts';
import type { NestedValidation, Structural, StructuralOptions } from './structural.ts';

/**
 * Position of a node in the schema: the root, the items of a list, or a property or map value. The rules for a node depend on its position.
 */
type Level = 'root' | 'item' | 'field';

/** Strictest options for the validation of structural schemas. The newest Kubernetes minor version uses them. */
export const STRICT: StructuralOptions = {
  documentation: 'counts',
  nestedAdditionalProperties: false,
  closedMaps: 'ignored',
  nestedRules: false,
  propertiesUnderAdditional: false,
};

/**
 * Returns the violations of the rules of structural schemas, sorted by their texts. Source: apiextensions-apiserver
 * pkg/apiserver/schema/validation.go `ValidateStructural` (1.37).
 */
export function validateStructural(path: FieldPath | undefined, schema: Structural, options: StructuralOptions = STRICT): FieldError[] {
  const check = new StructuralCheck(options);
  check.node(schema, 'root', path);
  const { errors } = check;
  validateCompleteness(schema, path, options, errors);
  if (errors.length < 2) return errors;
  return errors
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .sort((a, b) => compareBytes(a.text, b.text))
    .map(({ error }) => error);
}

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateType(s: Structural, level: Level, path: FieldPath | undefined, errors: FieldError[]): void {
  const at = childPath(path, 'type');
  if (s.embeddedResource && s.type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(s.type === '' ? required(at, detail) : invalid(at, s.type, detail));
  } else if (s.type === '' && !s.intOrString && !s.preserveUnknownFields) {
    errors.push(required(at, MISSING_TYPE[level]));
  }
  if (s.embeddedResource && s.additionalPropertiesAllowed !== undefined) {
    errors.push(forbidden(childPath(path, 'additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'));
  }
  if (level === 'root' && s.type !== '' && s.type !== 'object') errors.push(invalid(at, s.type, 'must be object at the root'));
}

const METADATA_RESTRICTED = 'must not specify anything other than name and generateName, but metadata is implicitly specified';

function validateExtensions(x: Structural, path: FieldPath | undefined, errors: FieldError[]): void {
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  if (x.intOrString && x.preserveUnknownFields) errors.push(invalid(childPath(path, 'x-kubernetes-preserve-unknown-fields'), true, detail));
  if (x.intOrString && x.embeddedResource) errors.push(invalid(childPath(path, 'x-kubernetes-embedded-resource'), true, detail));
}

/**
 * Place of a schema: a node of the structural schema, the first branch of a node's `allOf`, or another branch (`nested`). The first two may have an `anyOf` that only repeats the meaning of `x-kubernetes-int-or-string`, which the check skips.
 */
type BranchPlace = 'node' | 'first allOf' | 'nested';

/** Nodes without violations at or below them, by position in the schema. The check skips these nodes. */
type Sound = Readonly<Record<Level, WeakSet<Structural>>>;

const soundUnder = memoizeWeak((_options: StructuralOptions): Sound => ({
  root: new WeakSet(),
  item: new WeakSet(),
  field: new WeakSet(),
}));

/** Checker that traverses a structural schema and collects the violations of the rules of structural schemas. */
class StructuralCheck {
  readonly errors: FieldError[] = [];
  readonly #options: StructuralOptions;
  readonly #sound: Sound;

  constructor(options: StructuralOptions) {
    this.#options = options;
    this.#sound = soundUnder(options);
  }

  /** Checks a node outside `allOf`, `anyOf`, `oneOf` and `not`, and all nodes below it. */
  node(s: Structural, level: Level, path: FieldPath | undefined): void {
    const sound = this.#sound[level];
    if (sound.has(s)) return;
    const before = this.errors.length;
    this.#check(s, level, path);
    if (this.errors.length === before) sound.add(s);
  }

  #check(s: Structural, level: Level, path: FieldPath | undefined): void {
    const { errors } = this;
    if (s.type === 'array' && s.items === undefined) errors.push(required(childPath(path, 'items'), 'must be specified'));
    if (s.items !== undefined) this.node(s.items, 'item', childPath(path, 'items'));
    for (const [key, property] of s.properties ?? []) this.node(property, 'field', keyPath(childPath(path, 'properties'), key));
    if (s.additionalPropertiesAllowed !== undefined) {
      const at = childPath(path, 'additionalProperties');
      if (level === 'root') errors.push(forbidden(at, 'must not be used at the root'));
      if (s.additionalProperties !== undefined) this.node(s.additionalProperties, 'field', at);
    }
    validateExtensions(s, path, errors);
    this.#values(s, 'node', path, this.#options);
    validateType(s, level, path, errors);
    this.#resourceFields(s, level, path);
  }

  /** Checks the requirements for the fields `kind`, `apiVersion` and `metadata`, if the node is the root or an embedded resource. */
  #resourceFields(s: Structural, level: Level, path: FieldPath | undefined): void {
    const { errors } = this;
    const properties = childPath(path, 'properties');
    const isResource = level === 'root' || s.embeddedResource;
    for (const field of ['kind', 'apiVersion']) {
      const property = s.properties?.get(field);
      if (property !== undefined && isResource && property.type !== 'string')
        errors.push(invalid(childPath(keyPath(properties, field), 'type'), property.type, 'must be string'));
    }
    const metadata = s.properties?.get('metadata');
    if (metadata !== undefined) {
      const at = keyPath(properties, 'metadata');
      if (isResource && metadata.type !== 'object') errors.push(invalid(childPath(at, 'type'), metadata.type, 'must be object'));
      const isFree = (counting: CountingOptions): boolean => restrictsOnlyNames(metadata, counting);
      if (level === 'root' && !isFree(this.#options)) {
        errors.push(reportedBecauseOf(forbidden(at, METADATA_RESTRICTED), ...changesOfCounting(this.#options, isFree)));
      }
    }
    if (s.embeddedResource && !s.preserveUnknownFields && s.properties === undefined) {
      const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
      errors.push(required(properties, detail));
    }
  }

  /** Checks the branches of a node's `allOf`, `anyOf`, `oneOf` and `not`, and its pattern. */
  #values(
    { branches: own, props }: Structural | NestedValidation,
    place: BranchPlace,
    path: FieldPath | undefined,
    options: StructuralOptions,
  ): void {
    const withoutRules = options.nestedRules ? { ...options, nestedRules: false } : options;
    const branches = (keyword: string, list: readonly NestedValidation[], branchOptions: StructuralOptions): void => {
      for (const [i, branch] of list.entries()) {
        const isFirst = keyword === 'allOf' && i === 0 && place === 'node';
        this.#nested(branch, isFirst ? 'first allOf' : 'nested', indexPath(childPath(path, keyword), i), branchOptions);
      }
    };
    const isChoice = (counting: CountingOptions): boolean => place !== 'nested' && isIntOrStringChoice(own.anyOf, counting);
    if (!isChoice(this.#options)) {
      const before = this.errors.length;
      branches('anyOf', own.anyOf, withoutRules);
      this.#markFrom(before, isChoice);
    }
    branches('allOf', own.allOf, options);
    branches('oneOf', own.oneOf, withoutRules);
    if (own.not !== undefined) this.#nested(own.not, 'nested', childPath(path, 'not'), withoutRules);
    const { pattern } = props;
    if (pattern === '') return;
    const compiled = compileRegex(pattern);
    if (compiled.ok) return;
    const detail = `must be a valid regular expression, but isn't: ${compiled.error}`;
    this.errors.push(invalid(childPath(path, 'pattern'), pattern, detail));
  }

  /** Marks the errors from an index on with the differences because of which some versions pass a test that fails here. */
  #markFrom(first: number, holds: (counting: CountingOptions) => boolean): void {
    const { errors } = this;
    if (errors.length === first) return;
    const changes = changesOfCounting(this.#options, holds);
    for (let i = first; i < errors.length; i++) errors[i] = reportedBecauseOf(errors[i] as FieldError, ...changes);
  }

  /** Checks a branch of anyOf, allOf, oneOf or not, which may restrict values and nothing else. */
  #nested(v: NestedValidation, place: BranchPlace, path: FieldPath, options: StructuralOptions): void {
    const { errors } = this;
    this.#values(v, place, path, options);
    if (v.items !== undefined) this.#nested(v.items, 'nested', childPath(path, 'items'), options);
    for (const [key, property] of v.properties ?? [])
      this.#nested(property, 'nested', keyPath(childPath(path, 'properties'), key), options);
    const forbid = (keyword: string, word: BlankWord, ...because: readonly Change[]): void => {
      errors.push(reportedBecauseOf(forbidden(childPath(path, keyword), `must be ${word} to be structural`), ...because));
    };
    if (v.closed && options.closedMaps === 'count') forbid('additionalProperties', 'undefined', CRD_CHANGES.nestedClosedMapsAreIgnored);
    if (v.additionalProperties !== undefined) {
      if (!options.nestedAdditionalProperties) forbid('additionalProperties', 'undefined');
      else this.#nested(v.additionalProperties, 'nested', childPath(path, 'additionalProperties'), options);
    }
    const { props } = v;
    for (const { name, field, nesting, form } of props.vocabulary.keywords) {
      if (nesting !== 'forbidden' || (field === 'rules' && options.nestedRules)) continue;
      if (!form.isAbsent(props[field])) forbid(name, form.blank);
    }
    if (v.properties?.has('metadata') === true) {
      errors.push(forbidden(keyPath(childPath(path, 'properties'), 'metadata'), 'must not be specified in a nested context'));
    }
  }
}

/**
 * Reports each field or item that is mentioned inside `allOf`, `anyOf`, `oneOf` or `not` and is not declared outside of these keywords.
 * Source: apiextensions-apiserver pkg/apiserver/schema/complete.go (1.37).
 */
function validateCompleteness(schema: Structural, path: FieldPath | undefined, options: StructuralOptions, errors: FieldError[]): void {
  new Completeness(options, errors).values(schema, schema, path, path);
}

class Completeness {
  readonly #options: StructuralOptions;
  readonly #errors: FieldError[];

  constructor(options: StructuralOptions, errors: FieldError[]) {
    this.#options = options;
    this.#errors = errors;
  }

  values(
    { branches: own }: Structural | NestedValidation,
    schema: Structural,
    schemaPath: FieldPath | undefined,
    path: FieldPath | undefined,
  ): void {
    if (own.not !== undefined) this.#nested(own.not, schema, schemaPath, childPath(path, 'not'));
    const branches = (keyword: string, list: readonly NestedValidation[]): void =>
      list.forEach((branch, i) => this.#nested(branch, schema, schemaPath, indexPath(childPath(path, keyword), i)));
    branches('allOf', own.allOf);
    branches('anyOf', own.anyOf);
    branches('oneOf', own.oneOf);
  }

  #nested(v: NestedValidation, schema: Structural | undefined, schemaPath: FieldPath | undefined, path: FieldPath): void {
    if (schema === undefined) {
      this.#missing(schemaPath, path);
      return;
    }
    this.values(v, schema, schemaPath, path);
    if (v.items !== undefined) this.#nested(v.items, schema.items, childPath(schemaPath, 'items'), childPath(path, 'items'));
    for (const [key, field] of v.properties ?? [])
      this.#property(key, field, schema, schemaPath, keyPath(childPath(path, 'properties'), key));
    if (v.additionalProperties !== undefined && this.#options.nestedAdditionalProperties) {
      const at = childPath(schemaPath, 'additionalProperties');
      this.#nested(v.additionalProperties, schema.additionalProperties, at, childPath(path, 'additionalProperties'));
    }
  }

  #property(key: string, field: NestedValidation, schema: Structural, schemaPath: FieldPath | undefined, path: FieldPath): void {
    const declared = schema.properties?.get(key);
    const at = keyPath(childPath(schemaPath, 'properties'), key);
    if (declared !== undefined) this.#nested(field, declared, at, path);
    else if (schema.additionalProperties !== undefined && this.#options.propertiesUnderAdditional) {
      this.#nested(field, schema.additionalProperties, childPath(schemaPath, 'additionalProperties'), path);
    } else this.#missing(at, path);
  }

  #missing(schemaPath: FieldPath | undefined, path: FieldPath): void {
    this.#errors.push(required(schemaPath, `because it is defined in ${pathText(path)}`));
  }
}
