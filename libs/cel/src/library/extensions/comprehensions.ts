import { EntryMap, MutableMap } from '../../values/map.ts';
import { formatValue } from '../../values/format-value.ts';
import { CelError } from '../../values/value.ts';
import type { CelMap, CelValue } from '../../values/value.ts';
import { mapOf, typeParameter } from '../../values/types/type.ts';
import { EXPANSION } from '../names.ts';
import { withContext } from '../define.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { globalOverload, linear } from '../overload.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const MAP = mapOf(K, V);
/** Minor number of the compatibility version that introduced two-variable comprehensions. */
const since = 32;

/** Returns a map with one additional entry. The accumulator of a comprehension is extended in place. Any other map is copied. */
function insert(map: CelMap, key: CelValue, value: CelValue): CelMap | CelError {
  if (map.get(key) !== undefined) return new CelError(`insert failed: key ${formatValue(key)} already exists`);
  const target = map instanceof MutableMap ? map : new EntryMap();
  if (target !== map) for (const known of map.keys()) target.set(known, map.get(known) as CelValue);
  target.set(key, value);
  return target;
}

const insertEntry: PlainCall = (map, key, value) => insert(map as CelMap, key, value);

const insertAll = withContext((context, map, update) => {
  let target = map as CelMap;
  for (const key of (update as CelMap).keys()) {
    context.poll();
    const inserted = insert(target, key, (update as CelMap).get(key) as CelValue);
    if (inserted instanceof CelError) return inserted;
    target = inserted;
  }
  return target;
});

const growth = linear('cel-go common/types/map.go `InsertMapKeyValue` (v0.29.2)');

/** Function that the expansions of `transformMap` and `transformMapEntry` call. Source: cel-go ext/comprehensions.go (v0.29.2). */
export const MAP_INSERT: FunctionDeclaration = {
  name: EXPANSION.mapInsert,
  library: 'comprehensions',
  doc: 'A map with added entries; an error if a key already exists. Only macros can call it.',
  examples: [
    "{'greeting': 'hello'}.transformMap(k, v, v + '!') == {'greeting': 'hello!'}",
    "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}",
  ],
  overloads: [
    globalOverload('@mapInsert_map_key_value', [MAP, K, V], MAP, { since, growth, call: insertEntry }),
    globalOverload('@mapInsert_map_map', [MAP, MAP], MAP, { since, growth, call: insertAll }),
  ],
};
