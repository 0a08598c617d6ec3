export { setDefaults } from './defaults/set-defaults.ts';
export { builtInKinds, BuiltInKinds } from './table/built-in-kind.ts';
export type { BuiltInKind, BuiltInResource } from './table/built-in-kind.ts';
export type {
  BytesType,
  FieldMerge,
  GoType,
  ListType,
  MapType,
  OwnType,
  OwnTypeName,
  PointerType,
  ScalarType,
  GoStructField,
  StructType,
} from './table/go-type.ts';
export { builtInTypes, BuiltInTypes } from './table/read-table.ts';
export { decodeRequest } from './typed/decode-request.ts';
export type { RequestDecodingOptions, DecodingOutcome } from './typed/decode-request.ts';
export { readTyped } from './typed/read-typed.ts';
export type { TypedReadingOptions, TypedReading } from './typed/read-typed.ts';
export { BUILTIN_DIFFERENCES, builtInHas } from './minors.ts';
