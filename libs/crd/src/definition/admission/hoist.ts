import { deepEqualJson } from '#go';
import type { JsonValue } from '#go';
import { encodeSchema } from '../../schema/encode-definition.ts';
import type { Definition, DefinitionVersion, PrinterColumn, Subresources } from '../../schema/definition.ts';
import { ABSENT_LIST } from '../../schema/schema-props.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';

/**
 * Definition in the form that validation reads.
 *
 * If a field, such as the schema, has the same value in all versions, it is at the top level instead of in the versions. Therefore errors
 * about the field name `spec.validation` instead of `spec.versions[0].schema`. In a definition with one version, all these fields are at
 * the top level.
 */
export interface HoistedDefinition {
  readonly definition: Definition;
  readonly versions: readonly DefinitionVersion[];
  /** True if the top level of the definition's spec has a field `validation`, even if that field contains no schema. */
  readonly hasValidation: boolean;
  readonly schema: SchemaProps | undefined;
  readonly subresources: Subresources | undefined;
  readonly printerColumns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
}

function subresourcesJson(version: DefinitionVersion): JsonValue {
  const of = version.subresources;
  if (of === undefined) return null;
  const scale = of.scale;
  return [of.status, scale === undefined ? null : [scale.specReplicasPath, scale.statusReplicasPath, scale.labelSelectorPath ?? null]];
}

function columnsJson(version: DefinitionVersion): JsonValue {
  return version.printerColumns.map((c) => [c.name, c.type, c.format, c.description, c.priority, c.jsonPath]);
}

function sameValidation(a: DefinitionVersion, b: DefinitionVersion): boolean {
  return a.hasValidation === b.hasValidation && (!a.hasValidation || sameSchema(a.schema, b.schema));
}

/** Returns true if two schemas are equal by apimachinery's Semantic.DeepEqual, which treats empty and absent lists as equal. */
export function sameSchema(a: SchemaProps | undefined, b: SchemaProps | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return a === b;
  return deepEqualJson(encodeSchema(a), encodeSchema(b));
}

/**
 * Moves the fields that all versions share to the top level of the definition. Fields are compared as in `sameSchema`. Source:
 * apiextensions-apiserver pkg/apis/apiextensions/v1/conversion.go (1.37).
 */
export function hoist(definition: Definition): HoistedDefinition {
  const { versions } = definition.spec;
  const first = versions[0];
  if (first === undefined) {
    const none = { hasValidation: false, schema: undefined, subresources: undefined, printerColumns: [], selectableFields: [] };
    return { definition, versions, ...none };
  }
  const common = (json: (version: DefinitionVersion) => JsonValue): boolean => {
    if (versions.length === 1) return true;
    const wanted = json(first);
    return versions.slice(1).every((version) => deepEqualJson(json(version), wanted));
  };
  const validation = versions.every((version) => sameValidation(version, first));
  const subresources = common(subresourcesJson);
  const columns = common(columnsJson);
  const selectable = common((version) => [...version.selectableFields]);
  return {
    definition,
    hasValidation: validation && first.hasValidation,
    schema: validation ? first.schema : undefined,
    subresources: subresources ? first.subresources : undefined,
    printerColumns: columns ? first.printerColumns : [],
    selectableFields: selectable ? first.selectableFields : [],
    versions: versions.map((version) => ({
      ...version,
      ...(validation ? { hasValidation: false, schema: undefined } : {}),
      ...(subresources ? { subresources: undefined } : {}),
      ...(columns ? { printerColumns: ABSENT_LIST } : {}),
      ...(selectable ? { selectableFields: ABSENT_LIST } : {}),
    })),
  };
}
