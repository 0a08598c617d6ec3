import type { JsonValue } from '#go';
import type { FieldChoice, Filling } from './choice.ts';
import { requiredKind } from './effective-schema.ts';
import type { EffectiveSchema } from './effective-schema.ts';
import { periodicText, generatedText } from '../texts/texts.ts';
import type { SchemaTexts } from '../texts/schema-texts.ts';
import type { Texts } from '../texts/texts.ts';

/**
 * Position of a scalar in a generated object: the list or map element that contains the scalar. `isDistinct` and `shift` require that the
 * scalar differs from other scalars.
 */
export interface ScalarPlace {
  /** Index of the innermost list or map element that contains the scalar, from 0. `count` is the number of elements of that list or map. */
  readonly index: number;
  readonly count: number;
  /** True if the scalar must differ from the scalars in the same field of all other elements. */
  readonly isDistinct: boolean;
  /** 0 if the scalar belongs to the new object. 1 if it belongs to the old object of an update, which needs a different value. */
  readonly shift: number;
}

/** A scalar that is valid for a schema, or the reason why no valid scalar is known. */
export type ScalarAnswer = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };

const found = (value: JsonValue): ScalarAnswer => ({ ok: true, value });

/**
 * Returns a scalar that is valid for a schema. `choice` says how the value is chosen, and `at` is the scalar's position in the generated
 * object. Returns the reason if no valid scalar is known.
 */
export function scalarOf(schema: EffectiveSchema, choice: FieldChoice, at: ScalarPlace, texts: SchemaTexts): ScalarAnswer {
  const isFree = at.shift === 0 && (!at.isDistinct || isDistinctCycle(choice.filling, at));
  const literal = isFree ? literalOf(choice.filling, at) : undefined;
  if (schema.enum !== undefined && schema.enum.length > 0) return found(literal ?? ofEnum(schema.enum, choice.filling, at));
  const kind = requiredKind(schema);
  if (kind === 'boolean') return found(literal ?? (choice.filling?.kind !== 'greatest' || at.index % 2 === 1) !== at.shift > 0);
  const isText = kind === 'string' || (kind === 'intOrString' && asksForText(choice.filling));
  if (literal !== undefined && (typeof literal === 'string') === isText) return found(lengthened(literal, choice));
  return isText ? textOf(schema, choice, at, texts) : found(numberOf(schema, choice.filling, at));
}

const asksForText = (filling: Filling | undefined): boolean =>
  filling?.kind === 'pattern' ||
  filling?.kind === 'periodic' ||
  filling?.kind === 'cycle' ||
  (filling?.kind === 'literal' && typeof filling.value === 'string');

/** Returns true if the filling is a cycle with at least as many values as there are elements, so that all elements can differ. */
const isDistinctCycle = (filling: Filling | undefined, { count }: ScalarPlace): boolean =>
  filling?.kind === 'cycle' && count <= filling.values.length;

function literalOf(filling: Filling | undefined, { index, count }: ScalarPlace): string | number | boolean | undefined {
  if (filling?.kind === 'literal') return filling.value;
  if (filling?.kind === 'cycle') return filling.values[index % filling.values.length];
  if (filling?.kind === 'lastDiffers') return index === count - 1 ? filling.last : filling.value;
  return undefined;
}

/** Appends characters to a text literal until it has the size that the choice requires. Returns all other literals unchanged. */
function lengthened(literal: string | number | boolean, { size }: FieldChoice): JsonValue {
  return typeof literal === 'string' && size !== undefined && size > literal.length ? literal + 'a'.repeat(size - literal.length) : literal;
}

function ofEnum(values: readonly JsonValue[], filling: Filling | undefined, at: ScalarPlace): JsonValue {
  const varies = at.isDistinct || filling?.kind === 'rising' || filling?.kind === 'falling';
  if (filling?.kind === 'greatest' && !at.isDistinct) return values.reduce((a, b) => (String(b).length > String(a).length ? b : a));
  return values[((varies ? at.index : 0) + at.shift) % values.length] as JsonValue;
}

/**
 * Returns the number from which the value of an element is derived. Elements with different numbers have different values. 0 means the
 * usual value.
 */
function variant(filling: Filling | undefined, { index, count, isDistinct, shift }: ScalarPlace): number {
  if (filling?.kind === 'falling') return count - index + shift;
  return (isDistinct || filling?.kind === 'rising' ? index + 1 : 0) + shift;
}

/** Returns the number from which a numeric element is derived. The smallest value is first in a rising list and last in a falling list. */
function rank(filling: Filling | undefined, at: ScalarPlace): number {
  if (filling?.kind === 'falling') return at.count - 1 - at.index + at.shift;
  return filling?.kind === 'rising' || at.isDistinct ? at.index + at.shift : variant(filling, at);
}

function textOf(schema: EffectiveSchema, choice: FieldChoice, at: ScalarPlace, texts: SchemaTexts): ScalarAnswer {
  const { filling, isLifted } = choice;
  const least = Number(schema.minLength ?? 0);
  const most = isLifted === true ? Infinity : Number(schema.maxLength ?? Infinity);
  const index = filling?.kind === 'pattern' && filling.varies === true ? at.index + 1 + at.shift : variant(filling, at);
  const size = Math.min(most, Math.max(least, choice.size ?? 1));
  if (filling?.kind === 'periodic') return found(periodicText(filling.period, Math.max(size, filling.period.length)));
  const source = sourceOf(schema, filling, texts);
  if (source === 'plain') return found(generatedText(Math.min(most, Math.max(size, index === 0 ? 0 : 8)), index));
  if (source === undefined) return { ok: false, reason: `no texts for ${schema.pattern === '' ? schema.format : 'the pattern'}` };
  const text = source.text(index === 0 ? size : texts.roomyLength(source, size, { most, count: at.count }), index);
  return text === undefined ? { ok: false, reason: 'no text matches the pattern' } : found(text);
}

function sourceOf({ pattern, format }: EffectiveSchema, filling: Filling | undefined, texts: SchemaTexts): Texts | 'plain' | undefined {
  if (filling?.kind === 'pattern') return texts.ofPattern(filling.pattern);
  if (pattern !== '') return texts.ofPattern(pattern);
  return texts.ofFormat(format) ?? 'plain';
}

function numberOf(schema: EffectiveSchema, filling: Filling | undefined, at: ScalarPlace): JsonValue {
  const step = schema.multipleOf ?? 1;
  const least = minNumber(schema, step);
  const greatest = greatestNumber(schema, step);
  if (filling?.kind === 'greatest' && !at.isDistinct) return Number.isFinite(greatest) ? greatest : least + 1000 * step;
  const rooms = Math.max(1, Math.floor((greatest - least) / step) + 1);
  const value = least + (rank(filling, at) % rooms) * step;
  return schema.type === 'integer' ? Math.round(value) : value;
}

function minNumber({ minimum, exclusiveMinimum, maximum }: EffectiveSchema, step: number): number {
  if (minimum === undefined) return maximum !== undefined && maximum < 1 ? Math.floor(maximum / step) * step - step : step;
  const multiple = Math.ceil(minimum / step) * step;
  return exclusiveMinimum && multiple <= minimum ? multiple + step : multiple;
}

function greatestNumber({ maximum, exclusiveMaximum, format }: EffectiveSchema, step: number): number {
  if (maximum === undefined) return format === 'int32' ? 2_147_483_647 : Infinity;
  const multiple = Math.floor(maximum / step) * step;
  return exclusiveMaximum && multiple >= maximum ? multiple - step : multiple;
}
