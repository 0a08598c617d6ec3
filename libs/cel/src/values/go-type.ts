import { EvaluationPanic } from './errors.ts';
import { LibraryValue } from './library-value.ts';
import { ConcatList } from './list.ts';
import { isList, isMap, typeOfValue } from './type-of.ts';
import { CelError, Uint } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';

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

/** Returns the Go type of a value, as Go's `%T` prints it. */
export function goTypeOf(value: CelValue): string {
  if (value instanceof LibraryValue) return value.goType;
  if (isList(value)) return goListType(value);
  if (isMap(value)) return goMapType(value);
  return GO_TYPES[typeOfValue(value).kind] ?? 'types.Unknown';
}

function goListType(list: CelList): string {
  if (list.goType !== undefined) return list.goType;
  if (list instanceof ConcatList) return '*types.concatList';
  if (list.schema === undefined) return '*types.baseList';
  const kind = { map: 'MapList', set: 'SetList' }[list.schema.listType ?? ''] ?? 'List';
  return `*common.unstructured${kind}`;
}

const goMapType = (map: CelMap): string => map.goType ?? (map.schema === undefined ? '*types.baseMap' : '*common.unstructuredMap');

/** Returns true if a Go map panics when the value is used as its key. */
export function isUnhashable(value: CelValue): boolean {
  return value instanceof Uint8Array || (value instanceof LibraryValue && !value.isHashable);
}

/** Returns the panic that ends the evaluation if an unhashable value is used as a key. */
export function unhashable(value: CelValue): EvaluationPanic {
  return new EvaluationPanic(`runtime error: hash of unhashable type ${goTypeOf(value)}`);
}

/** Returns the error for a value that cannot be a map key, or undefined if the value can be a key. */
export function badKey(key: CelValue): CelError | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return undefined;
  }
  if (key instanceof Uint || typeOfValue(key).kind === 'double') return undefined;
  return new CelError(`invalid qualifier type: ${goTypeOf(key)}`);
}
