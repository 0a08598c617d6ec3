import { compareBytes, goQuote } from '#go';
import { stringFormat } from '#kube';
import type { Minor } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { schemaHas } from '../../schema/walk-schema.ts';
import { crdHas, formatMinor } from '../../minors/minors.ts';
import type { HoistedDefinition } from './hoist.ts';
import { hoist } from './hoist.ts';

const schemasOf = (hoisted: HoistedDefinition): SchemaProps[] =>
  [hoisted.schema, ...hoisted.versions.map((version) => version.schema)].filter((schema) => schema !== undefined);

function isKnownFormat(schema: SchemaProps, minor: Minor): boolean {
  if (schema.type === 'string') return stringFormat(schema.format, formatMinor(minor)) !== undefined;
  if (!crdHas(minor, 'formatsAreTyped')) return true;
  if (schema.type === '') return stringFormat(schema.format, formatMinor(minor)) !== undefined;
  if (schema.type === 'integer') return schema.format === 'int32' || schema.format === 'int64';
  return schema.type === 'number' && (schema.format === 'float' || schema.format === 'double');
}

function unknownFormats(hoisted: HoistedDefinition, minor: Minor): string[] {
  const formats: string[] = [];
  for (const root of schemasOf(hoisted)) {
    schemaHas(root, (schema) => {
      if (schema.format !== '' && !isKnownFormat(schema, minor)) formats.push(schema.format);
      return false;
    });
  }
  return formats;
}

function setWarnings(hoisted: HoistedDefinition): string[] {
  const types = new Set<string>();
  for (const root of schemasOf(hoisted)) {
    schemaHas(root, (schema) => {
      const type = schema.items?.schema?.type;
      if (schema.listType === 'set' && (type === 'object' || type === 'array')) types.add(type);
      return false;
    });
  }
  return [...types]
    .map((type) => `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`)
    .sort(compareBytes);
}

/**
 * Returns the warnings about an accepted definition. For a changed definition, only new warnings are returned. Source:
 * apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go (1.37).
 */
export function definitionWarnings(now: HoistedDefinition, old: Definition | undefined, minor: Minor): string[] {
  const before = old && hoist(old);
  const warnings: string[] = [];
  if (crdHas(minor, 'formatsAreWarned')) {
    const known = new Set(before === undefined ? [] : unknownFormats(before, minor));
    for (const format of unknownFormats(now, minor)) if (!known.has(format)) warnings.push(`unrecognized format ${goQuote(format)}`);
  }
  if (crdHas(minor, 'setsAreWarned')) {
    const known = new Set(before === undefined ? [] : setWarnings(before));
    for (const warning of setWarnings(now)) if (!known.has(warning)) warnings.push(warning);
  }
  return warnings;
}
