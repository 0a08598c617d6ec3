import type { Form } from './form.ts';
import type { Keyword, KeywordChange, KeywordDocs, Nesting } from './keyword.ts';

/** Name and position of a keyword's field in Go's structs. */
type GoField = Pick<Keyword, 'goField' | 'position' | 'internalPosition'>;

const AS_IS: KeywordChange = { kind: 'none' };

/** Declaration of a keyword that rejects no value. */
interface Silent extends GoField {
  readonly nesting: Nesting;
  readonly docs: KeywordDocs | undefined;
  readonly change?: KeywordChange;
}

/**
 * Returns the declaration of a schema keyword that rejects no value. Such a keyword can only affect pruning, defaulting, list types and
 * rules.
 */
export function keywordWithoutChecks<Value>(name: string, form: Form<Value>, declared: Silent): Keyword<Value> {
  return { name, form, change: AS_IS, appliesTo: [], fastPaths: {}, ...declared };
}

/** Returns the declaration of an OpenAPI keyword that definitions must not contain. */
export function unsupported<Value>(name: string, form: Form<Value>, field: GoField): Keyword<Value> {
  return keywordWithoutChecks(name, form, { ...field, nesting: 'unsupported', docs: undefined });
}

/**
 * Returns the effect of a changed keyword, for a keyword of which any change may reject stored objects or store valid objects differently.
 * If `loosenedByRemoval` is true, a removal of the keyword is harmless.
 */
export function exactChange(change: string, loosenedByRemoval = false): KeywordChange {
  return { kind: 'exact', change, loosenedByRemoval };
}
