import { Float } from '#go';
import type { JsonValue } from '#go';

/** Kinds of JSON values that validators distinguish. Each number is the index of the kind in tables with one entry for each kind. */
export const KINDS = { null: 0, bool: 1, int: 2, float: 3, string: 4, array: 5, object: 6 } as const;

/** Kind of a JSON value, as a number from {@link KINDS}. */
export type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Returns the kind of a JSON value, such as integer or array, as a number from {@link KINDS}. */
export function kindOf(value: JsonValue): Kind {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof value) {
    case 'string':
      return KINDS.string;
    case 'number':
      return Number.isInteger(value) ? KINDS.int : KINDS.float;
    case 'boolean':
      return KINDS.bool;
    case 'bigint':
      return KINDS.int;
    default:
      if (value === null) return KINDS.null;
      if (Array.isArray(value)) return KINDS.array;
      return value instanceof Float ? KINDS.float : KINDS.object;
  }
}

/** JSON type names as they occur in type errors. The index is the kind of the value ({@link KINDS}). */
export const JSON_TYPE_NAMES: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** List of all kinds of JSON values in {@link KINDS}. */
export const EVERY_KIND: readonly Kind[] = Object.values(KINDS);
