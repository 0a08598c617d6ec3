import type { JsonValue } from '#go';

/**
 * A Go type that occurs in built-in kinds. `text` is the type as Go prints it: `[]v1.Container`, `map[v1.ResourceName]resource.Quantity`.
 */
export type GoType = ScalarType | BytesType | OwnType | PointerType | ListType | MapType | StructType;

/** A type of one of Go's scalar kinds, such as `string` or `v1.PodPhase`. */
export interface ScalarType {
  readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'uint8';
  readonly text: string;
}

/** The Go type `[]byte`, which is encoded as base64 in JSON. */
export interface BytesType {
  readonly kind: 'bytes';
  readonly text: string;
}

/** Names of the Go types that have their own JSON decoder. */
export type OwnTypeName = 'Quantity' | 'IntOrString' | 'Time' | 'MicroTime' | 'Duration' | 'RawExtension' | 'FieldsV1';

/** A Go type that has its own JSON decoder. */
export interface OwnType {
  readonly kind: 'own';
  readonly name: OwnTypeName;
  readonly text: string;
}

/** A Go pointer type. A pointer is nil if the value is null or absent in JSON. */
export interface PointerType {
  readonly kind: 'pointer';
  readonly to: GoType;
  readonly text: string;
}

/** A Go slice type whose elements are not bytes. */
export interface ListType {
  readonly kind: 'list';
  readonly of: GoType;
  readonly text: string;
}

/** A Go map type. The type of its keys is a string type. */
export interface MapType {
  readonly kind: 'map';
  readonly of: GoType;
  readonly text: string;
}

/** Go struct type that a built-in Kubernetes kind contains, such as `PodSpec`, with its fields. */
export interface StructType {
  readonly kind: 'struct';
  /** Name with the package, such as `core/v1.PodSpec`. */
  readonly name: string;
  readonly text: string;
  /** Fields by JSON name, in the order of the source. Fields of an embedded struct are at the position at which the struct is embedded. */
  readonly fields: ReadonlyMap<string, GoStructField>;
  /** Fields that Go encodes even if they are absent in the object. */
  readonly alwaysShown: readonly GoStructField[];
  /** True if structured merges replace values of this struct as a whole. A field of this type can have another merge setting. */
  readonly isAtomic: boolean;
}

/** A field of a struct. */
export interface GoStructField {
  readonly name: string;
  readonly type: GoType;
  /** True if Go omits the field when its value is empty: `""`, 0, false, nil, or a list or map without entries. Structs are never empty. */
  readonly omitEmpty: boolean;
  /** True if Go omits the field when it has the zero value of its type. */
  readonly omitZero: boolean;
  /** Go names of the embedded structs that contain the field, outermost first. Empty if the struct declares the field itself. */
  readonly embeddedIn: readonly string[];
  /**
   * Treatment of the field by structured merges. Undefined for the default of the field's type: lists are atomic, and maps and structs are
   * not.
   */
  readonly merge: FieldMerge | undefined;
  /** Default of a field that is a key in lists of type `map`, for elements that lack the field. Undefined if there is no default. */
  readonly keyDefault: JsonValue | undefined;
}

/**
 * Treatment of a field by a structured merge: as a list with keys, as a set, or as a single value. The treatment `granular` merges the
 * fields of a value although its type is atomic.
 */
export type FieldMerge =
  | { readonly kind: 'map'; readonly keys: readonly string[] }
  | { readonly kind: 'set' }
  | { readonly kind: 'atomic' }
  | { readonly kind: 'granular' };
