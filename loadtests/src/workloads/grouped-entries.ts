import { largeBody, parsed } from './judging.ts';
import type { JsonObject } from '#go';

const NAME = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const MAP_LIST = { type: 'array', maxItems: 100, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const ENTRY = {
  type: 'object',
  required: ['name'],
  'x-kubernetes-validations': [{ rule: 'self.low <= self.high', message: 'low must not be above high' }],
  properties: {
    name: NAME,
    low: { type: 'integer', minimum: 0 },
    high: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    kind: { type: 'string', enum: ['A', 'B', 'C'] },
    tags: { type: 'array', maxItems: 10, 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 20 } },
  },
};
const GROUP = { type: 'object', required: ['name'], properties: { name: NAME, entries: { ...MAP_LIST, items: ENTRY } } };

/** The schema of groups of entries: two nested lists of type map. Each entry has bounds, a pattern, an enum and a rule. */
export const GROUPED_SPEC = { type: 'object', properties: { groups: { ...MAP_LIST, items: GROUP } } };

/** Extents to which an update can change the object. */
export const CHANGES = ['nothing', 'one leaf', 'every entry'] as const;

/** Extent to which an update changes the object, from {@link CHANGES}. */
export type Change = (typeof CHANGES)[number];

/** An update of grouped entries. */
export interface GroupedUpdate {
  readonly oldObject: JsonObject;
  readonly body: Buffer;
}

/** Returns the number of errors that a server reports for an update, without ratcheting (`off`) and with ratcheting (`on`). */
export function errorsOf(invalid: boolean, change: Change, groups: number): { readonly off: number; readonly on: number } {
  const off = invalid ? groups * (countOf(groups, 0) + countOf(groups, 1)) : 0;
  // The invalid number is unchanged, but the entry that contains its rule changed. So ratcheting still reports the error.
  const on = invalid && change === 'every entry' ? groups * countOf(groups, 1) : 0;
  return { off, on };
}

/**
 * Creates an update.
 *
 * @param invalid if true, a fifth of the entries exceed a maximum before and after the update, and another fifth violate the rule
 * @param groups number of groups, and number of entries in each group; at most 100
 */
export function groupedUpdate(invalid: boolean, change: Change, groups: number): GroupedUpdate {
  return { oldObject: parsed(JSON.parse(text(invalid, 'nothing', groups).toString())), body: text(invalid, change, groups) };
}

/** Returns how many integers from 0 up to, but not including, `end` have the given remainder after division by 5. */
const countOf = (end: number, remainder: number): number => Math.ceil((end - remainder) / 5);

function text(invalid: boolean, change: Change, groups: number): Buffer {
  return largeBody({
    spec: {
      groups: Array.from({ length: groups }, (_, group) => ({
        name: `group-${group}`,
        entries: Array.from({ length: groups }, (__, entry) => {
          const changed = change === 'every entry' || (change === 'one leaf' && group === groups - 1 && entry === groups - 1);
          return {
            name: `entry-${entry}`,
            low: invalid && entry % 5 === 1 ? 2000 : entry,
            high: invalid && entry % 5 === 0 ? 2_000_000 : 1000,
            kind: changed ? 'B' : 'A',
            tags: ['x', 'y', 'z'],
          };
        }),
      })),
    },
  });
}
