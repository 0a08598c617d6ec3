import type { JsonValue } from '#go';
import { joinPath } from './decoder.ts';
import type { Decoder } from './decoder.ts';
import type { DefinitionNames } from './definition.ts';

const NAMES = new Set(['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories']);

/**
 * Returns the names with defaults for `singular` and `listKind`, which are derived from `kind`. Source:
 * pkg/apis/apiextensions/v1/defaults.go (1.37).
 */
export function withNameDefaults(names: DefinitionNames): DefinitionNames {
  return {
    ...names,
    singular: names.singular === '' ? names.kind.toLowerCase() : names.singular,
    listKind: names.listKind === '' && names.kind !== '' ? `${names.kind}List` : names.listKind,
  };
}

/** Decodes the names of a resource without defaults. */
export function decodeNames(decoder: Decoder, value: JsonValue | undefined, path: string): DefinitionNames {
  const json = decoder.fields(value, path, 'v1.CustomResourceDefinitionNames', NAMES);
  return {
    plural: decoder.string(json?.['plural'], joinPath(path, 'plural')),
    singular: decoder.string(json?.['singular'], joinPath(path, 'singular')),
    shortNames: decoder.strings(json?.['shortNames'], joinPath(path, 'shortNames')) ?? [],
    kind: decoder.string(json?.['kind'], joinPath(path, 'kind')),
    listKind: decoder.string(json?.['listKind'], joinPath(path, 'listKind')),
    categories: decoder.strings(json?.['categories'], joinPath(path, 'categories')) ?? [],
  };
}
