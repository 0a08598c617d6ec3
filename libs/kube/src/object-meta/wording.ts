import { tooLongWords } from '../field-error.ts';
import type { TooLongWords } from '../field-error.ts';

/** How a minor words errors about metadata. */
export interface MetaWording {
  readonly tooLong: TooLongWords;
  /** What lengths of label keys and values are counted in, by the text. */
  readonly lengthUnit: 'bytes' | 'characters';
  /** What a label key is called. */
  readonly labelKey: 'a valid label key' | 'a qualified name';
  /** Errors of owner references: required fields at their index, or invalid ones without it. */
  readonly ownerReferences: 'indexed' | 'flat';
  /** What an owner reference's empty field is told. */
  readonly emptyOwnerField: (field: string) => string;
  /** Whether lists and structs in errors are printed in Go's syntax instead of JSON. */
  readonly goSyntax: boolean;
  /** What an embedded resource without apiVersion or kind is told. */
  readonly missingTypeMeta: '' | 'must not be empty';
  /** Whether an entry of managedFields without operation lacks it, and one with an unknown one has none that is supported; before, both are invalid. */
  readonly managedOperations: 'listed' | 'flat';
  /** Whether an update is told, too, that a generation must not be negative. */
  readonly checksGenerationOnUpdate: boolean;
  /** Whether a kind's own validation of metadata tells equal errors once. */
  readonly distinctErrors: boolean;
}

/** First minor in which `field.TooLong` and `field.TooLongMaxLength` have the same words. */
const ONE_TOO_LONG_SINCE = 32;
/** First minor with the label checks of k8s.io/apimachinery/pkg/api/validate/content. */
const CONTENT_SINCE = 35;
/** First minor whose owner references name their index. */
const INDEXED_OWNERS_SINCE = 37;

/** First minor that neither repeats a field's name in its error nor says that what is missing must not be empty. */
const TERSE_SINCE = 34;

/** First minor whose errors show lists and structs as JSON. */
const JSON_SINCE = 34;

/**
 * First minor that also validates metadata by declarations: errors are worded as declarations word them, and those of a kind's own validation
 * pass through `ValidateObjectMetaDeclaratively`, whose filter drops repeated ones.
 */
const DECLARATIVE_SINCE = 37;

/** The wording of a minor (the number after the dot). */
export function metaWording(minor: number): MetaWording {
  return {
    tooLong: minor >= ONE_TOO_LONG_SINCE ? tooLongWords(minor) : (limit) => `must have at most ${limit} bytes`,
    lengthUnit: minor >= CONTENT_SINCE ? 'bytes' : 'characters',
    labelKey: minor >= CONTENT_SINCE ? 'a valid label key' : 'a qualified name',
    ownerReferences: minor >= INDEXED_OWNERS_SINCE ? 'indexed' : 'flat',
    emptyOwnerField: minor >= TERSE_SINCE ? () => 'must not be empty' : (field) => `${field} must not be empty`,
    goSyntax: minor < JSON_SINCE,
    missingTypeMeta: minor >= TERSE_SINCE ? '' : 'must not be empty',
    managedOperations: minor >= DECLARATIVE_SINCE ? 'listed' : 'flat',
    checksGenerationOnUpdate: minor >= DECLARATIVE_SINCE,
    distinctErrors: minor >= DECLARATIVE_SINCE,
  };
}

/** The wording of the newest minor. */
export const LATEST_WORDING: MetaWording = metaWording(Number.MAX_SAFE_INTEGER);
