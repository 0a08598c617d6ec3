import { js } from '#cel';
import type { Fragment } from '#cel';
import { LONG_LIST } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Structural } from '../../structural/structural.ts';
import { areDistinct } from '../write/distinct.ts';
import { validateListTypes } from '../write/list-types.ts';
import { Polls } from '../write/polls.ts';
import { emitRules } from './emit-rules.ts';
import { emitKeywords } from './emit-keywords.ts';
import { emitEntries, POLL_MASK, GIVE_UP } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { itemNode, loneKey, readingOf } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';

/**
 * Returns the body of a generated function that reads and validates a list element by element. For a long list of scalars, the generated
 * function starts again with another reader, because that reader is faster. `anything` is the name of this reader, which parses the whole
 * list before it validates the list.
 */
export function listBody(code: ReaderCode, node: ReaderNode, anything: Fragment): Fragment {
  const itemsAlone = itemNode(node);
  if (itemsAlone === undefined) return GIVE_UP;
  const notedKey = loneKey(node, itemsAlone);
  const items = { ...itemsAlone, notedKey };
  const list = code.fresh('list');
  const item = code.fresh('item');
  const isScalar = ['string', 'integer', 'number', 'boolean', 'intOrString'].includes(readingOf(items));
  const long = isScalar
    ? js`if (${list}.length === ${LONG_LIST}) { s.rewind(start, shift); r.cost = spent; return ${anything}.read(r); }`
    : js`if ((${list}.length & ${POLL_MASK}) === 0) r.poll();`;
  const site = { of: 'list', value: list, size: js`${list}.length`, require: undefined } as const;
  const declared = js`const start = at, shift = s.shift, spent = r.cost, keys = r.keys.used;
const ${list} = [];`;
  const entry = js`let ${item};
${code.value(code, items, item)}
${list}.push(${item});
${long}`;
  return js`${emitEntries('list', declared, entry)}
${emitKeywords(code, node.props, site)}
${emitListType(code, node.structural, list, notedKey !== undefined)}
${emitRules(code, node, list)}
return ${list};`;
}

/** @param hasNotedKeys True if the positions of the list's keys are recorded, starting at index `keys`. */
function emitListType(code: ReaderCode, structural: Structural, list: Fragment, hasNotedKeys: boolean): Fragment {
  if (structural.listType !== 'set' && structural.listType !== 'map') return js``;
  const length = js`${list}.length`;
  const byValues = js`${length} > 1 && !${code.constant(distinctElements(structural))}(${list}, r)`;
  if (!hasNotedKeys) return js`if (${byValues}) return undefined;`;
  return js`if (!r.keys.areDistinctFrom(keys, ${length}, bytes) && ${byValues}) return undefined;`;
}

/**
 * Returns a function that returns true if all elements of a set, or all keys of a map list, are distinct. If fast comparisons are
 * inconclusive, the exact validation decides.
 */
function distinctElements(structural: Structural): (list: readonly JsonValue[], run: ReaderRun) => boolean {
  const alone: Structural = { ...structural, items: undefined };
  const exactly = (list: readonly JsonValue[], run: ReaderRun): boolean =>
    validateListTypes(list as JsonValue[], alone, new Polls(run.token)).length === 0;
  const { listType, listMapKeys } = structural;
  if (listType === 'set') return (list, run) => areDistinct(list) || exactly(list, run);
  const [key, another] = listMapKeys;
  if (key === undefined || another !== undefined) return (list, run) => areDistinctShort(list, listMapKeys) || exactly(list, run);
  return (list, run) => areDistinct(list.map((item) => (item as JsonObject)[key])) || exactly(list, run);
}

/** Maximum length of lists whose elements are compared pairwise to find duplicates. */
const SHORT = 12;

/** Returns true if the elements of a short list have distinct scalar keys. `false` is inconclusive. */
function areDistinctShort(list: readonly JsonValue[], keys: readonly string[]): boolean {
  if (list.length > SHORT) return false;
  for (let i = 0; i < list.length; i++) {
    for (const key of keys) {
      const value = (list[i] as JsonObject)[key];
      if (typeof value !== 'string' && !(typeof value === 'number' && Number.isInteger(value))) return false;
    }
    for (let j = 0; j < i; j++) {
      if (keys.every((key) => (list[i] as JsonObject)[key] === (list[j] as JsonObject)[key])) return false;
    }
  }
  return true;
}
