import type { Form } from './form.ts';
import type { Keyword, KeywordChange, KeywordWords, Nesting } from './keyword.ts';

/** The place and the name of a field in Go's structs. */
type GoField = Pick<Keyword, 'goField' | 'position' | 'internalPosition'>;

const AS_IS: KeywordChange = { kind: 'none' };

/** The declaration of a keyword that refuses no value. */
interface Silent extends GoField {
  readonly nesting: Nesting;
  readonly words: KeywordWords | undefined;
  readonly change?: KeywordChange;
}

/** Returns a keyword that refuses no value: only pruning, defaulting, list types and rules may look at it. */
export function silent<Value>(name: string, form: Form<Value>, declared: Silent): Keyword<Value> {
  return { name, form, change: AS_IS, concerns: [], ways: {}, ...declared };
}

/** Returns a keyword of OpenAPI that no definition may have. */
export function unsupported<Value>(name: string, form: Form<Value>, field: GoField): Keyword<Value> {
  return silent(name, form, { ...field, nesting: 'unsupported', words: undefined });
}

/** Returns a change of which any other value may refuse, or store otherwise, what was fine. */
export function exactly(change: string, loosenedByRemoval = false): KeywordChange {
  return { kind: 'exact', change, loosenedByRemoval };
}
