/** Value that can be passed to a Lua script in Redis: map, list, text, bytes, number or boolean. `undefined` becomes nil in Lua. */
export type Packable = string | number | boolean | undefined | Uint8Array | readonly Packable[] | { readonly [field: string]: Packable };

/**
 * Packs arguments as MessagePack for Redis' `cmsgpack`. Bytes are packed as str, which is equivalent in Lua, because `cmsgpack` does not
 * support the type bin. Numbers are packed as float 64, the only number type of Lua. Source: redis 7.0 deps/lua/src/lua_cmsgpack.c
 * mp_decode_to_lua_type.
 */
export function packArguments(value: Packable): Buffer {
  const parts: Uint8Array[] = [];
  pack(value, parts);
  return Buffer.concat(parts);
}

const NIL = Buffer.of(0xc0);
const FALSE = Buffer.of(0xc2);
const TRUE = Buffer.of(0xc3);
/** First bytes of the encodings in which the length of the value follows in 32 bits. */
const STR_32 = 0xdb;
const ARRAY_32 = 0xdd;
const MAP_32 = 0xdf;
const FLOAT_64 = 0xcb;

function pack(value: Packable, parts: Uint8Array[]): void {
  if (value === undefined) parts.push(NIL);
  else if (typeof value === 'boolean') parts.push(value ? TRUE : FALSE);
  else if (typeof value === 'number') parts.push(float(value));
  else if (typeof value === 'string') packBytes(Buffer.from(value), parts);
  else if (value instanceof Uint8Array) packBytes(value, parts);
  else if (isList(value)) {
    parts.push(lengthed(ARRAY_32, value.length));
    for (const element of value) pack(element, parts);
  } else {
    const entries = Object.entries(value);
    parts.push(lengthed(MAP_32, entries.length));
    for (const [field, of] of entries) {
      pack(field, parts);
      pack(of, parts);
    }
  }
}

const isList = (value: object): value is readonly Packable[] => Array.isArray(value);

function packBytes(bytes: Uint8Array, parts: Uint8Array[]): void {
  parts.push(lengthed(STR_32, bytes.length), bytes);
}

function lengthed(first: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(5);
  head[0] = first;
  head.writeUInt32BE(length, 1);
  return head;
}

function float(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = FLOAT_64;
  bytes.writeDoubleBE(value, 1);
  return bytes;
}
