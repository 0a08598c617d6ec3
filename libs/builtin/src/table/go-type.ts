import type { JsonValue } from '#go';

/** A Go type that values of built-in kinds have. `text` is how Go prints it: `[]v1.Container`, `map[v1.ResourceName]resource.Quantity`. */
export type GoType = ScalarType | BytesType | OwnType | PointerType | ListType | MapType | StructType;

/** A type of one of Go's scalar kinds, such as `string` or `v1.PodPhase`. */
export interface ScalarType {
  readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'uint8';
  readonly text: string;
}

/** A slice of bytes, which is base64 in JSON. */
export interface BytesType {
  readonly kind: 'bytes';
  readonly text: string;
}

/** The types that read themselves from JSON. */
export type OwnTypeName = 'Quantity' | 'IntOrString' | 'Time' | 'MicroTime' | 'Duration' | 'RawExtension' | 'FieldsV1';

/** A type that reads itself from JSON. */
export interface OwnType {
  readonly kind: 'own';
  readonly name: OwnTypeName;
  readonly text: string;
}

/** A pointer; nil where JSON has null or nothing. */
export interface PointerType {
  readonly kind: 'pointer';
  readonly to: GoType;
  readonly text: string;
}

/** A slice of anything but bytes. */
export interface ListType {
  readonly kind: 'list';
  readonly of: GoType;
  readonly text: string;
}

/** A map whose keys are strings of some type. */
export interface MapType {
  readonly kind: 'map';
  readonly of: GoType;
  readonly text: string;
}

/** A struct. */
export interface StructType {
  readonly kind: 'struct';
  /** With its package: `core/v1.PodSpec`. */
  readonly name: string;
  readonly text: string;
  /** Fields by JSON name, in the order of the source. Fields of an embedded struct are at the position of the embedding. */
  readonly fields: ReadonlyMap<string, StructField>;
  /** Fields that are shown even if an object lacks them. */
  readonly alwaysShown: readonly StructField[];
  /** True if structured merges replace it as a whole, unless a field says otherwise. */
  readonly isAtomic: boolean;
}

/** A field of a struct. */
export interface StructField {
  readonly name: string;
  readonly type: GoType;
  /** Left out when it is empty: `""`, 0, false, nil, or without entries; structs never are. */
  readonly omitEmpty: boolean;
  /** Left out when it is its type's zero value. */
  readonly omitZero: boolean;
  /** Go names of the embedded structs through which the struct has it, outermost first. */
  readonly embeddedIn: readonly string[];
  /** Treatment by structured merges, if it differs from the type's: lists are atomic, maps and structs are not. */
  readonly merge: FieldMerge | undefined;
  /** For a key field of map lists: the value for an entry without the key; undefined if there is none. */
  readonly keyDefault: JsonValue | undefined;
}

/**
 * The treatment of a field by a structured merge: as a list with keys, as a set, or as one value. `granular` merges the
 * fields of a type that is otherwise atomic.
 */
export type FieldMerge =
  | { readonly kind: 'map'; readonly keys: readonly string[] }
  | { readonly kind: 'set' }
  | { readonly kind: 'atomic' }
  | { readonly kind: 'granular' };
