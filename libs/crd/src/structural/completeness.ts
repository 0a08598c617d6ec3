import { childPath, indexPath, keyPath, pathText, required } from '#kube';
import type { FieldError, FieldPath } from '#kube';
import type { NestedValidation, Structural, StructuralOptions } from './structural.ts';

/**
 * Reports each field or item that is mentioned inside `allOf`, `anyOf`, `oneOf` or `not` and is not declared outside of these keywords.
 * Source: apiextensions-apiserver pkg/apiserver/schema/complete.go (1.37).
 */
export function validateCompleteness(
  schema: Structural,
  path: FieldPath | undefined,
  options: StructuralOptions,
  errors: FieldError[],
): void {
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
