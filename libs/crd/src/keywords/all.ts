import { allowedValues } from './allowed-values.ts';
import { annotations } from './annotations.ts';
import { extensions } from './extensions.ts';
import { formats } from './format.ts';
import { junctors } from './junctors.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { objects } from './objects.ts';
import { texts } from './texts.ts';
import { types } from './types.ts';
import { unsupportedKeywords } from './unsupported.ts';
import { Vocabulary } from './vocabulary.ts';

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

/** Vocabulary of the keywords that Kubernetes knows. */
export const KEYWORDS = new Vocabulary(FAMILIES);
