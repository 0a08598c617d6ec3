import { CelError, EvaluationPanic, Uint } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';
import { LibraryValue } from './library-value.ts';
import { JsonList, JsonMap } from './json-view.ts';
import { ConcatList, MergedList, NativeList } from './list.ts';
import { isList, isMap, typeOfValue } from './type-of.ts';

/**
 * Names of the Go types that represent CEL values upstream, by the kind of CEL type. Error messages about values of the wrong type show
 * these names.
 */
const GO_TYPES: Readonly<Record<string, string>> = {
  string: 'types.String',
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  bytes: 'types.Bytes',
  null: 'types.Null',
  timestamp: 'types.Timestamp',
  duration: 'types.Duration',
  optional: '*types.Optional',
  type: '*types.Type',
  error: '*types.Err',
};

/** Names of the Go types of lists and maps, as far as they differ between Kubernetes minor versions. */
export interface GoTypeNaming {
  /**
   * True if generic Go types represent the lists and maps that CEL creates. Their names contain the types of the elements. Source: cel-go
   * common/types/list.go `sliceList`, map.go `nativeMap` (v0.33.2). If it is false, the types are `baseList` and `baseMap`.
   */
  readonly collectionsAreGeneric: boolean;
}

const REF_VAL = 'cel.dev/cel-go/common/types/ref.Val';
const ANY = 'interface {}';

/** Returns the Go type of a value, as Go's `%T` prints it. */
export function goTypeOf(value: CelValue, naming: GoTypeNaming): string {
  if (isList(value)) return goListType(value, naming);
  return isMap(value) ? goMapType(value, naming) : otherGoType(value);
}

/** Returns the Go type of a value that is neither a list nor a map, as Go's `%T` prints it. */
export function otherGoType(value: CelValue): string {
  return value instanceof LibraryValue ? value.goType : (GO_TYPES[typeOfValue(value).kind] ?? 'types.Unknown');
}

function goListType(list: CelList, { collectionsAreGeneric }: GoTypeNaming): string {
  if (list.goType !== undefined) return list.goType;
  if (list instanceof ConcatList && list.delegates) return '*types.concatList';
  if (list instanceof MergedList) return `*common.refVal${list.keys === undefined ? 'SetList' : 'MapList'}`;
  if (list.schema !== undefined) {
    const kind = { map: 'MapList', set: 'SetList' }[list.schema.listType ?? ''] ?? 'List';
    return `*common.unstructured${kind}`;
  }
  if (!collectionsAreGeneric) return '*types.baseList';
  const element = list instanceof NativeList ? list.element : list instanceof JsonList ? ANY : REF_VAL;
  return `*types.sliceList[${element}]`;
}

function goMapType(map: CelMap, { collectionsAreGeneric }: GoTypeNaming): string {
  if (map.goType !== undefined) return map.goType;
  if (map.schema !== undefined) return '*common.unstructuredMap';
  if (!collectionsAreGeneric) return '*types.baseMap';
  return map instanceof JsonMap ? `*types.nativeMap[string,${ANY}]` : `*types.nativeMap[${REF_VAL},${REF_VAL}]`;
}

/** Returns true if a Go map panics when the value is used as its key. */
export function isUnhashable(value: CelValue): boolean {
  return value instanceof Uint8Array || (value instanceof LibraryValue && !value.isHashable);
}

/** Returns the panic that ends the evaluation if an unhashable value is used as a key. */
export function unhashable(value: CelValue): EvaluationPanic {
  return new EvaluationPanic(`runtime error: hash of unhashable type ${otherGoType(value)}`);
}

/** Returns the error for a value that cannot be a map key, or undefined if the value can be a key. */
export function badKey(key: CelValue, naming: GoTypeNaming): CelError | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return undefined;
  }
  if (key instanceof Uint || typeOfValue(key).kind === 'double') return undefined;
  return new CelError(`invalid qualifier type: ${goTypeOf(key, naming)}`);
}
