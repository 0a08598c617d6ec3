import type { CompiledRules } from '../../rules/compiled-rules.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { hasEmbedded } from '../../structural/holds.ts';
import { describesWhole, hasReadableContents } from './keyword-check.ts';
import type { Structural } from '../../structural/structural.ts';

/** One node of a schema in the three forms that say what its values have to be. */
export interface ReaderNode {
  /** The structural schema, by which values are pruned and defaulted. */
  readonly structural: Structural;
  /** The keywords. */
  readonly props: SchemaProps;
  /** The rules of the node and of all below; undefined where there are none. */
  readonly rules: CompiledRules | undefined;
  /**
   * True if an object has at most one value of this node, and no keyword describes its ancestors as a whole. Then its
   * lists may become columns.
   */
  readonly isFixedPlace?: boolean;
  /** The field, a string, that tells a value from the others in its list: where it stands is noted. */
  readonly notedKey?: string;
}

/**
 * The way to read the values of a node: by code for their type, or as `anything`, which then goes through all exact
 * steps.
 */
export type Reading = 'object' | 'map' | 'list' | 'string' | 'integer' | 'number' | 'boolean' | 'intOrString' | 'anything';

/** Fields of one object above which its code would be too long for V8's optimiser. */
const MAX_FIELDS = 250;

/** Returns the way to read the values of a node. */
export function readingOf({ structural, props, rules }: ReaderNode): Reading {
  if (!hasReadableContents(props)) return 'anything';
  if (rules !== undefined && (rules.allOf.length > 0 || rules.error !== undefined)) return 'anything';
  if (structural.embeddedResource) return 'anything';
  if (structural.intOrString) return structural.type === '' && !structural.preserveUnknownFields ? 'intOrString' : 'anything';
  const isTextual = structural.type === 'string' || structural.type === 'integer' || structural.type === 'number';
  if (props.format !== '' && !isTextual) return 'anything';
  switch (structural.type) {
    case 'object':
      return readingOfObject(structural);
    case 'array':
      return structural.items === undefined || structural.preserveUnknownFields ? 'anything' : 'list';
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return structural.preserveUnknownFields ? 'anything' : structural.type;
    default:
      return 'anything';
  }
}

function readingOfObject(structural: Structural): Reading {
  const fields = structural.properties?.size ?? 0;
  if (structural.additionalProperties !== undefined) {
    const isMap = fields === 0 && !structural.preserveUnknownFields;
    return isMap && structural.additionalPropertiesAllowed === true ? 'map' : 'anything';
  }
  return structural.additionalPropertiesAllowed === undefined && fields <= MAX_FIELDS ? 'object' : 'anything';
}

/** Returns the node of a declared field; undefined where schema and structural schema do not agree on it. */
export function fieldNode({ structural, props, rules, isFixedPlace }: ReaderNode, name: string): ReaderNode | undefined {
  const own = structural.properties?.get(name);
  const ownProps = props.properties?.get(name);
  if (own === undefined || ownProps === undefined) return undefined;
  return {
    structural: own,
    props: ownProps,
    rules: rules?.properties.find(([key]) => key === name)?.[1],
    isFixedPlace: isFixedPlace === true && !describesWhole(props),
  };
}

/** Returns the node of a list's items. */
export function itemNode({ structural, props, rules }: ReaderNode): ReaderNode | undefined {
  const ownProps = props.items?.schema;
  return structural.items && ownProps && { structural: structural.items, props: ownProps, rules: rules?.items };
}

/**
 * Returns the only key field of a map list. Undefined if there are several, or if the field is not a plain string
 * without null.
 */
export function loneKey({ structural }: ReaderNode, items: ReaderNode): string | undefined {
  const [key, another] = structural.listMapKeys;
  if (structural.listType !== 'map' || key === undefined || another !== undefined || readingOf(items) !== 'object') return undefined;
  const field = fieldNode(items, key);
  return field !== undefined && !field.structural.nullable && readingOf(field) === 'string' ? key : undefined;
}

/** Returns the node of a map's values. */
export function valueNode({ structural, props, rules }: ReaderNode): ReaderNode | undefined {
  const ownProps = props.additionalProperties?.schema;
  return (
    structural.additionalProperties &&
    ownProps && { structural: structural.additionalProperties, props: ownProps, rules: rules?.additionalProperties }
  );
}

/** Returns true if values of a node contain embedded resources, whose metadata has its own type. */
export const holdsEmbedded = ({ structural }: ReaderNode): boolean => hasEmbedded(structural);
