import { allowedValues, types } from './allowed-values.ts';
import { annotations } from './annotations.ts';
import { extensions } from './extensions.ts';
import { formats } from './format.ts';
import { junctors } from './junctors.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { objects } from './objects.ts';
import { texts } from './texts.ts';
import { unsupportedKeywords } from './unsupported.ts';
import { Vocabulary } from './vocabulary.ts';
import type { SchemaProps } from '../schema/schema-props.ts';

/**
 * All families of keywords, in upstream's order of validators. Source: kube-openapi pkg/validation/validate/schema.go `NewSchemaValidator`.
 */
export const FAMILIES = [
  types,
  junctors,
  texts,
  formats,
  numbers,
  lists,
  allowedValues,
  objects,
  annotations,
  extensions,
  unsupportedKeywords,
] as const;

type FieldsOf<Family> = Family extends { readonly keywords: infer Keywords } ? keyof Keywords : never;
/** Each field of a schema node whose family is missing in {@link FAMILIES}. */
type FieldWithoutFamily = Exclude<keyof SchemaProps, FieldsOf<(typeof FAMILIES)[number]> | 'vocabulary'>;

/** Vocabulary of the keywords that Kubernetes knows. The type checker rejects a family that adds fields but is missing in the list. */
export const KEYWORDS = new Vocabulary(FAMILIES satisfies FieldWithoutFamily extends never ? unknown : FieldWithoutFamily);
