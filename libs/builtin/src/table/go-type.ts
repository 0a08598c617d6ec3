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
  /** By JSON name, in the order of the source; fields of embedded structs stand where these are embedded. */
  readonly fields: ReadonlyMap<string, StructField>;
  /** The fields that are shown even where an object says nothing of them. */
  readonly alwaysShown: readonly StructField[];
  /** Whether structured merges replace it as a whole, where a field does not say otherwise. */
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
  /** How structured merges treat it, where that is not its type's own way: lists are atomic, maps and structs are not. */
  readonly merge: FieldMerge | undefined;
  /** Of a field that is a key of map lists: the value that an entry without it has; undefined where it has none. */
  readonly keyDefault: JsonValue | undefined;
}

/** How a structured merge treats a field: a list with keys, a list of distinct items, one value, or (although its type is atomic) field by field. */
export type FieldMerge =
  | { readonly kind: 'map'; readonly keys: readonly string[] }
  | { readonly kind: 'set' }
  | { readonly kind: 'atomic' }
  | { readonly kind: 'granular' };
