import type { CompiledRules } from '../../rules/compiled-rules.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { hasEmbedded } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import type { CancellationToken, JsonValue } from '#go';
import type { Keyword } from '../../keywords/keyword.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { VocabularyKeyword } from '../../keywords/vocabulary.ts';
import type { ValidationBehaviour } from '../openapi/schema-walk.ts';
import { compileNode } from '../openapi/compile-validator.ts';
import { EVERY_KIND, KINDS } from '../openapi/kind.ts';
import { SchemaWalk } from '../openapi/schema-walk.ts';
import { Polls } from '../write/polls.ts';

/** Schema node for which code that reads and validates values is generated: its structural schema, its keywords and its rules. */
export interface ReaderNode {
  /** Structural schema by which values are pruned and defaulted. */
  readonly structural: Structural;
  /** Keywords of the node. */
  readonly props: SchemaProps;
  /** Rules of the node and of all nodes below it; undefined if there are none. */
  readonly rules: CompiledRules | undefined;
  /**
   * True if an object has at most one value of this node, and no keyword describes its ancestors as a whole. Lists of such a node may
   * become columns, which are stored without a value for each element.
   */
  readonly isFixedPlace?: boolean;
  /**
   * Key field, of type string, that identifies a value in its map list. The positions of its texts in the bytes are recorded to find
   * duplicates.
   */
  readonly notedKey?: string;
}

/**
 * Method by which the generated reader reads the values of a schema node. Most methods use generated code for one type. `anything` reads a
 * value of any type and then applies all steps of the exact validation, which follows the server.
 */
export type ReadMethod = 'object' | 'map' | 'list' | 'string' | 'integer' | 'number' | 'boolean' | 'intOrString' | 'anything';

/** Maximum number of fields in one object. With more fields, the generated code would be too long for V8's optimiser. */
const MAX_FIELDS = 250;

/**
 * Returns the way in which a generated schema reader reads the values of a schema node. It is a specific type, such as `list`, or
 * `anything`. The reader is generated code that parses and validates JSON bytes in one pass.
 */
export function readingOf({ structural, props, rules }: ReaderNode): ReadMethod {
  if (unreadableKeyword(props) !== undefined) return 'anything';
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

function readingOfObject(structural: Structural): ReadMethod {
  const fields = structural.properties?.size ?? 0;
  if (structural.additionalProperties !== undefined) {
    const isMap = fields === 0 && !structural.preserveUnknownFields;
    return isMap && structural.additionalPropertiesAllowed === true ? 'map' : 'anything';
  }
  return structural.additionalPropertiesAllowed === undefined && fields <= MAX_FIELDS ? 'object' : 'anything';
}

/**
 * Returns the schema node of a field, given the schema node of the object. Returns undefined if the keywords (`props`) or the structural
 * schema of the object do not declare the field.
 */
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

/** Returns the node of a list's items, or undefined if the schema has no items. */
export function itemNode({ structural, props, rules }: ReaderNode): ReaderNode | undefined {
  const ownProps = props.items?.schema;
  return structural.items && ownProps && { structural: structural.items, props: ownProps, rules: rules?.items };
}

/**
 * Returns the key field of a list with the list type `map`, whose items have the schema node `items`. Returns undefined for other lists and
 * for several key fields. Also returns undefined if generated code cannot read the field as a non-nullable string.
 */
export function loneKey({ structural }: ReaderNode, items: ReaderNode): string | undefined {
  const [key, another] = structural.listMapKeys;
  if (structural.listType !== 'map' || key === undefined || another !== undefined || readingOf(items) !== 'object') return undefined;
  const field = fieldNode(items, key);
  return field !== undefined && !field.structural.nullable && readingOf(field) === 'string' ? key : undefined;
}

/** Returns the schema node for the values of a map, or undefined if the map's schema does not describe its values. */
export function valueNode({ structural, props, rules }: ReaderNode): ReaderNode | undefined {
  const ownProps = props.additionalProperties?.schema;
  return (
    structural.additionalProperties &&
    ownProps && { structural: structural.additionalProperties, props: ownProps, rules: rules?.additionalProperties }
  );
}

/** Returns true if the node's schema, or any schema below it, is marked as an embedded resource (`x-kubernetes-embedded-resource`). */
export const holdsEmbedded = ({ structural }: ReaderNode): boolean => hasEmbedded(structural);

/** Function that returns true if a value meets the keywords of a schema. */
export type KeywordCheck = (value: JsonValue, token?: CancellationToken) => boolean;

/**
 * Returns a function that returns true if a value satisfies all keywords of a schema. The function runs the exact validation. It is used
 * for keywords that have no generated code.
 */
export function keywordCheck(props: SchemaProps, behaviour: ValidationBehaviour): KeywordCheck {
  const check = compileNode(props, behaviour);
  return (value, token) => {
    const walk = new SchemaWalk(new Polls(token));
    check(value, walk);
    return walk.findings.length === 0;
  };
}

/**
 * Returns a schema without the keywords about children (list elements or object entries) of its values. A generated reader validates the
 * children separately.
 */
export function withoutContents(props: SchemaProps): SchemaProps {
  const contents = props.vocabulary.keywords.filter((keyword) => keyword.contents === true);
  return { ...props, ...Object.fromEntries(contents.map(({ field, form }) => [field, form.absent])) };
}

/**
 * Returns a keyword of a schema about the children (list elements or object entries) of its values that generated code cannot read from
 * JSON bytes. Returns undefined if there is no such keyword.
 */
export function unreadableKeyword(props: SchemaProps): VocabularyKeyword | undefined {
  return keywordsAbout(props, ...EVERY_KIND).find(({ contents, fastPaths }) => contents === true && fastPaths.code === undefined);
}

/** Returns true if generated code can validate a keyword on an object by checking each field separately. */
export const isFieldwise = ({ fieldwise, fastPaths }: Keyword): boolean => fieldwise === true && fastPaths.code !== undefined;

/** Returns true if a schema has a keyword that generated code cannot check on objects field by field. */
export const describesWhole = (props: SchemaProps): boolean => !keywordsAbout(props, KINDS.object).every(isFieldwise);
