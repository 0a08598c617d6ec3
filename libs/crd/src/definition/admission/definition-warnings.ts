import { compareBytes, goQuote } from '#go';
import { formatChange, stringFormat } from '#kube';
import type { Change, Minor } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { schemaHas } from '../../schema/schema-props.ts';
import { CRD_CHANGES, crdHas, formatMinor } from '../../minors/minors.ts';
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

/** Returns the unknown formats with the differences because of which some Kubernetes versions do not warn of them. */
function unknownFormats(hoisted: HoistedDefinition, minor: Minor): Map<string, readonly Change[]> {
  const formats = new Map<string, readonly Change[]>();
  for (const root of schemasOf(hoisted)) {
    schemaHas(root, (schema) => {
      const { format, type } = schema;
      if (format === '' || isKnownFormat(schema, minor) || (type !== 'string' && formats.has(format))) return false;
      const warned = type === 'string' ? CRD_CHANGES.formatsAreWarned : CRD_CHANGES.formatsAreTyped;
      formats.set(
        format,
        [warned, formatChange(format)].filter((change) => change !== undefined),
      );
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

/** Warning about a definition, with the differences because of which some Kubernetes versions do not give it. */
export interface DefinitionWarning {
  readonly text: string;
  readonly changes: readonly Change[];
}

/**
 * Returns the warnings about an accepted definition. For a changed definition, only new warnings are returned. Source:
 * apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go (1.37).
 */
export function definitionWarnings(now: HoistedDefinition, old: Definition | undefined, minor: Minor): DefinitionWarning[] {
  const before = old && hoist(old);
  const warnings: DefinitionWarning[] = [];
  if (crdHas(minor, 'formatsAreWarned')) {
    const known = before && unknownFormats(before, minor);
    for (const [format, changes] of unknownFormats(now, minor))
      if (known?.has(format) !== true) warnings.push({ text: `unrecognized format ${goQuote(format)}`, changes });
  }
  if (crdHas(minor, 'setsAreWarned')) {
    const known = new Set(before === undefined ? [] : setWarnings(before));
    for (const text of setWarnings(now)) if (!known.has(text)) warnings.push({ text, changes: [CRD_CHANGES.setsAreWarned] });
  }
  return warnings;
}
