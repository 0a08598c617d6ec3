import type { JsonValue, Minor } from '#kube';
import type { DefinitionVerdict } from './verdict.ts';

/** Judges a create (no old document) or update of a CustomResourceDefinition. */
export function judgeDefinition(_document: JsonValue, _oldDocument: JsonValue | undefined, _options: { readonly minor: Minor }): DefinitionVerdict {
  throw new Error('not implemented');
}
