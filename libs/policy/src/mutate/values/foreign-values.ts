import { base64Text, compareBytes, Float, formatFloat, goQuote } from '#go';
import { Duration, formatValue, isList, isMap, LibraryValue, Timestamp, TypedList, TypedMap, TypedStruct, Uint } from '#cel';
import type { CelValue } from '#cel';
import { goText, ForeignValue } from '../merge/merge-value.ts';

/** Null of CEL as Go represents it: `structpb.NullValue`, an enum value with the number 0. */
export const NULL_VALUE = new ForeignValue('structpb.NullValue', 'NULL_VALUE', '0');

/** Returns the text that Go's `%v` prints for a list element or map entry inside its list or map. */
function elementText(value: CelValue): string {
  if (value instanceof Float) return formatFloat(value.value);
  return value instanceof Uint ? String(value.value) : formatValue(value);
}

const opaque = (goType: string, text: string): ForeignValue => new ForeignValue(goType, text, goQuote(text));
const hex = (byte: number): string => `0x${byte.toString(16)}`;

/** Returns the name of a struct as Go prints its type: `v1.PodSpec`. */
export const structText = ({ type }: TypedStruct): string => type.name.slice(type.name.lastIndexOf('/') + 1);

/**
 * Returns the Go form of a CEL value that has no JSON equivalent, such as a time, a quantity or a struct. A list that an expression creates
 * inside another value also has no JSON equivalent.
 */
export function foreignValue(value: CelValue): ForeignValue {
  if (value === null) return NULL_VALUE;
  if (value instanceof Uint) return new ForeignValue('uint64', String(value.value), hex(Number(value.value)), Number(value.value));
  if (value instanceof Uint8Array) {
    return new ForeignValue('[]uint8', `[${value.join(' ')}]`, `[]byte{${Array.from(value, hex).join(', ')}}`, base64Text(value));
  }
  if (value instanceof Timestamp) return opaque('time.Time', formatValue(value));
  if (value instanceof Duration) return new ForeignValue('time.Duration', formatValue(value), String(value.nanos));
  if (value instanceof TypedStruct) return opaque(structText(value), goText(value.raw));
  if (value instanceof TypedList || value instanceof TypedMap)
    return opaque('interface {}', goText(isList(value) ? [...value.raw] : value.raw));
  if (isList(value))
    return opaque('[]ref.Val', `[${Array.from({ length: value.size }, (_, index) => elementText(value.at(index))).join(' ')}]`);
  if (isMap(value)) {
    const entries = Array.from(value.keys(), (key) => `${elementText(key)}:${elementText(value.get(key) ?? null)}`);
    return opaque('map[ref.Val]ref.Val', `map[${entries.sort(compareBytes).join(' ')}]`);
  }
  return value instanceof LibraryValue ? opaque(heldType(value), value.toString()) : opaque('ref.Val', formatValue(value));
}

/** Returns the Go type that a value of a CEL library wraps, for example `*resource.Quantity` for a `cel.Quantity`. */
function heldType({ goType }: LibraryValue): string {
  return HELD_TYPES.get(goType) ?? goType;
}

const HELD_TYPES: ReadonlyMap<string, string> = new Map([
  ['cel.Quantity', '*resource.Quantity'],
  ['cel.IP', 'netip.Addr'],
  ['cel.CIDR', 'netip.Prefix'],
  ['cel.URL', '*url.URL'],
  ['cel.Semver', 'semver.Version'],
]);
