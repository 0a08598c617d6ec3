import { isJsonInt, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { ValueSchema } from './schema/value-schema.ts';
import { JsonList } from './json-view.ts';
import { ArrayList, NativeList } from './list.ts';
import { TypedList } from './typed-view.ts';
import type { DataStruct, DataType } from './typed-view.ts';
import { CelError } from './value.ts';
import type { CelList, CelValue } from './value.ts';
import { RawList } from './wrap.ts';

/** Range of elements of a list to copy, and the order of the copies. */
interface CopiedRange {
  readonly start: number;
  readonly end: number;
  readonly reversed?: boolean;
}

/**
 * Returns a copy of elements of a list in a Go slice of the list's own element type. The elements of the copy have no schema, and Go structs
 * among them are errors. Returns undefined if upstream copies the CEL values of the elements. Source: cel-go common/types/list.go
 * `MaybeSliceList`, `MaybeReverseList` (v0.33.2).
 */
export function copyData(list: CelList, { start, end, reversed = false }: CopiedRange): CelList | undefined {
  const take = <T>(elements: readonly T[]): T[] => (reversed ? elements.slice(start, end).reverse() : elements.slice(start, end));
  if (list instanceof RawList || list instanceof JsonList) return new JsonList(take(list.raw));
  if (list instanceof StructList) return new StructList(take(list.raw), list.of);
  if (list instanceof NativeList) return new NativeList(take(list.elements), list.element);
  if (list instanceof ArrayList) return new ArrayList(take(list.elements));
  if (!(list instanceof TypedList)) return undefined;
  if (list.of.kind === 'string') return new NativeList(take(list.raw) as string[], 'string');
  return list.of.kind === 'struct' ? new StructList(take(list.raw), list.of) : undefined;
}

/**
 * Error in place of a Go struct that no view reads. An iteration variable holds the struct itself, so the first selection of a field is
 * charged before it fails. Source: cel-go common/types/list.go `rawElemAt` (v0.33.2).
 */
export class UnreadableStruct extends CelError {}

/**
 * List that holds Go structs without the view that reads them. Each element is an error. Source: cel-go common/types/list.go
 * `NewDynamicList`, common/types/err.go `UnsupportedRefValConversionErr` (v0.33.2).
 */
class StructList implements CelList {
  readonly kind = 'list';
  readonly schema: ValueSchema | undefined = undefined;
  readonly goType = '*types.sliceList[uint8]';
  readonly raw: readonly JsonValue[];
  readonly of: DataStruct;
  constructor(raw: readonly JsonValue[], of: DataStruct) {
    this.raw = raw;
    this.of = of;
  }
  get size(): number {
    return this.raw.length;
  }
  at(index: number): CelValue {
    const { of } = this;
    return new UnreadableStruct(`unsupported conversion to ref.Val: (${goName(of)})${goStruct(this.raw[index] as JsonValue, of)}`);
  }
}

/** Returns the name of a struct with its Go package, such as `v1.Container` for `core/v1.Container`. */
const goName = ({ name }: DataStruct): string => name.slice(name.lastIndexOf('/') + 1);

/**
 * Returns a struct as Go's %v prints it. A pointer to an existing value is printed as `0x0`, because upstream prints an address or the text
 * of a generated function.
 */
function goStruct(raw: JsonValue, { fields }: DataStruct): string {
  const object: JsonObject = isJsonObject(raw) ? raw : {};
  return `{${Array.from(fields, ([name, { type }]) => goData(object[name], type)).join(' ')}}`;
}

function goData(raw: JsonValue | undefined, type: DataType): string {
  switch (type.kind) {
    case 'pointer':
      if (raw !== undefined) return '0x0';
      return type.to.kind === 'struct' ? 'nil' : '<nil>';
    case 'struct':
      return goStruct(raw ?? null, type);
    case 'list':
      return `[${Array.isArray(raw) ? raw.map((element) => goData(element, type.of)).join(' ') : ''}]`;
    case 'map':
      return `map[${Object.entries(isJsonObject(raw ?? null) ? (raw as JsonObject) : {})
        .map(([key, value]) => `${key}:${goData(value, type.of)}`)
        .sort()
        .join(' ')}]`;
    case 'int32':
    case 'int64':
    case 'uint8':
      return String(raw !== undefined && isJsonInt(raw) ? raw : 0);
    case 'bool':
      return String(raw === true);
    case 'string':
    case 'bytes':
    case 'own':
      return typeof raw === 'string' ? raw : '';
  }
}
