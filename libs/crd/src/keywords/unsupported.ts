import type { SchemaOrBool, SchemaOrStrings, SchemaProps } from '../schema/schema-props.ts';
import { DEPENDENCIES, SCHEMA_MAP, SCHEMA_OR_BOOL } from './forms/schema-forms.ts';
import { OPTIONAL_TEXT, TEXT } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';
import { unsupported } from './form.ts';

/** Keywords that Go's struct contains but definitions must not use. */
export interface UnsupportedKeywords {
  readonly id: string;
  readonly schema: string;
  readonly ref: string | undefined;
  readonly patternProperties: ReadonlyMap<string, SchemaProps> | undefined;
  readonly dependencies: ReadonlyMap<string, SchemaOrStrings> | undefined;
  readonly additionalItems: SchemaOrBool | undefined;
  readonly definitions: ReadonlyMap<string, SchemaProps> | undefined;
}

declare module '../schema/schema-props.ts' {
  interface SchemaProps extends UnsupportedKeywords {}
}

/**
 * Group of keywords that definitions must not use, see {@link UnsupportedKeywords}. Source: validation.go
 * `specStandardValidatorV3.validate` (1.37), which passes over `$schema` and empty maps.
 */
export const unsupportedKeywords: KeywordFamily<UnsupportedKeywords> = {
  keywords: {
    id: unsupported('id', TEXT, { goField: 'ID', position: 1 }),
    schema: unsupported('$schema', TEXT, { position: 2 }),
    ref: unsupported('$ref', OPTIONAL_TEXT, { position: 3 }),
    patternProperties: unsupported('patternProperties', SCHEMA_MAP, { position: 31 }),
    dependencies: unsupported('dependencies', DEPENDENCIES, { position: 32 }),
    additionalItems: unsupported('additionalItems', SCHEMA_OR_BOOL, { position: 33 }),
    definitions: unsupported('definitions', SCHEMA_MAP, { position: 34 }),
  },
  refused: ({ id, additionalItems, patternProperties, definitions, dependencies, ref }) => [
    ...(id === '' ? [] : ['id']),
    ...(additionalItems === undefined ? [] : ['additionalItems']),
    ...((patternProperties?.size ?? 0) === 0 ? [] : ['patternProperties']),
    ...((definitions?.size ?? 0) === 0 ? [] : ['definitions']),
    ...(dependencies === undefined ? [] : ['dependencies']),
    ...(ref === undefined ? [] : ['$ref']),
  ],
};
