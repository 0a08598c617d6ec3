import { goQuote } from '#go';
import { STEP } from '../../library/step-prices.ts';
import { doubleToInt } from '../../values/convert.ts';
import { formatValue } from '../../values/format-value.ts';
import { badKey } from '../../values/go-type.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { MAX_INT } from '../../values/integer.ts';
import { MessageValue } from '../../values/messages/message-value.ts';
import { ObjectLiteral } from '../../values/messages/mutation-messages.ts';
import { doubleOf, isInt, isList, isMap, typeOfValue } from '../../values/type-of.ts';
import { runtimeTypeName } from '../../values/types/type.ts';
import { CelError, Uint } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import { TypedList } from '../../values/typed-view.ts';
import { RawList } from '../../values/wrap.ts';
import type { Attribute } from './attribute.ts';
import type { Frame } from './node.ts';

/**
 * Failure of one selection in a chain, such as `.b` in `a.b.c`. It ends the evaluation of the whole chain. A selection can also find an
 * error value, such as an element of a list. Finding an error value is no failure; only a further selection from it fails.
 */
export class SelectionFailure {
  readonly error: CelError;
  constructor(error: CelError) {
    this.error = error;
  }
}

/** Result of an optional selection if the field, key or index does not exist. */
export const ABSENT = Symbol('absent');

/**
 * One selection of an expression such as `a.b[c]`: `.field`, `[key]`, `.?field`, or `[?key]`. It costs {@link STEP}. Source: cel-go
 * interpreter/attributes.go (v0.29.2).
 */
export interface Qualifier {
  readonly id: number;
  readonly optional: boolean;
  qualify(frame: Frame, value: CelValue): CelValue | SelectionFailure;
  /** Selects a field or element that may be absent. Returns {@link ABSENT} if it is absent, which costs nothing. */
  qualifyIfPresent(frame: Frame, value: CelValue): CelValue | SelectionFailure | typeof ABSENT;
}

/** Index that replaces every list index beyond the safe range of integers. No list is so long that such an index exists. */
const BEYOND = -1;

/** Converts a list index to an integer. Returns a failure if the key is not a valid index. */
function listIndex(key: CelValue): number | SelectionFailure {
  const double = doubleOf(key);
  const index = key instanceof Uint ? uintToInt(key) : double === undefined ? key : doubleToIndex(double);
  if (typeof index === 'number') return index;
  if (typeof index === 'bigint') return BEYOND;
  if (index === undefined) return new SelectionFailure(new CelError(`unsupported index value ${formatValue(key)} in list`));
  return new SelectionFailure(new CelError(`unsupported index type '${runtimeTypeName(typeOfValue(key))}' in list`));
}

const uintToInt = ({ value }: Uint): number | bigint | undefined => (value > MAX_INT ? undefined : Number(value));
const doubleToIndex = (double: number): number | bigint | undefined => (Number.isInteger(double) ? doubleToInt(double) : undefined);

function indexList(list: CelList, key: CelValue): CelValue | SelectionFailure | typeof ABSENT {
  const index = listIndex(key);
  if (index instanceof SelectionFailure) return index;
  if (index < 0 || index >= list.size) return ABSENT;
  if (list instanceof RawList && !isInt(key)) return new CelError(`unsupported index: ${formatValue(key)}`);
  if (list instanceof TypedList && !isInt(key)) return TypedList.wrongIndex(key);
  return list.at(index);
}

/**
 * Returns the result of a selection that found `found`. The result is ABSENT if `found` is undefined, and a failure if `found` is an error.
 */
function stepFrom(found: CelValue | undefined): CelValue | SelectionFailure | typeof ABSENT {
  if (found === undefined) return ABSENT;
  return found instanceof CelError ? new SelectionFailure(found) : found;
}

/**
 * Returns the value under a key of a map, an index of a list or a field of a message. Returns ABSENT if the key, index or field does not
 * exist.
 */
function find(value: CelValue, key: CelValue): CelValue | SelectionFailure | typeof ABSENT {
  if (isMap(value)) {
    return stepFrom(value.get(key));
  }
  if (isList(value)) return indexList(value, key);
  if (value instanceof MessageValue) return stepFrom(value.find(key));
  return value instanceof CelError ? new SelectionFailure(value) : ABSENT;
}

function findOrFail(value: CelValue, key: CelValue): CelValue | SelectionFailure {
  const found = value instanceof MessageValue ? stepFrom(value.get(key)) : find(value, key);
  if (found !== ABSENT) return found;
  return new SelectionFailure(new CelError(`${isList(value) ? 'index out of bounds' : 'no such key'}: ${formatValue(key)}`));
}

/**
 * Returns the value that the optional selection `value.?key` or `value[?key]` finds. Returns ABSENT if the key, index or field does not
 * exist, and a failure if `key` is not a valid key. This function charges no cost. Generated code calls it and charges the cost itself.
 */
export function lookUp(value: CelValue, key: CelValue, { semantics }: EvaluationContext): CelValue | SelectionFailure | typeof ABSENT {
  const error = badKey(key, semantics);
  return error === undefined ? find(value, key) : new SelectionFailure(error);
}

/**
 * Returns the value of a selection, or a failure if the key is absent. Charges no cost: the generated code that calls this function charges
 * the cost.
 */
export function lookUpOrFail(value: CelValue, key: CelValue, { semantics }: EvaluationContext): CelValue | SelectionFailure {
  const error = badKey(key, semantics);
  return error === undefined ? findOrFail(value, key) : new SelectionFailure(error);
}

/** Charges an optional selection. A selection that finds nothing costs nothing. A failing selection has its cost since 1.38. */
function chargeFound(frame: Frame, found: CelValue | SelectionFailure | typeof ABSENT, id: number): void {
  if (found === ABSENT || (found instanceof SelectionFailure && !frame.semantics.failuresEndCalls)) return;
  frame.charge(STEP, id);
}

/** Qualifier (one selection in an expression such as `a.b[c]`) whose key is a constant. */
export class ConstantQualifier implements Qualifier {
  readonly id: number;
  readonly optional: boolean;
  readonly #key: CelValue;
  constructor(id: number, key: CelValue, presence: 'required' | 'optional') {
    this.id = id;
    this.#key = key;
    this.optional = presence === 'optional';
  }
  qualify(frame: Frame, value: CelValue): CelValue | SelectionFailure {
    const found = findOrFail(value, this.#key);
    frame.charge(STEP, this.id);
    return found;
  }
  qualifyIfPresent(frame: Frame, value: CelValue): CelValue | SelectionFailure | typeof ABSENT {
    const found = find(value, this.#key);
    chargeFound(frame, found, this.id);
    return found;
  }
}

/** The last selection of `has(a.b)`. Its value is true if the field exists. */
export class PresenceQualifier implements Qualifier {
  readonly id: number;
  readonly optional = false;
  readonly #field: string;
  constructor(id: number, field: string) {
    this.id = id;
    this.#field = field;
  }
  qualify(frame: Frame, value: CelValue): CelValue | SelectionFailure {
    const found = find(value, this.#field);
    frame.charge(STEP, this.id);
    return found instanceof SelectionFailure ? found : found !== ABSENT;
  }
  qualifyIfPresent(frame: Frame, value: CelValue): CelValue | SelectionFailure | typeof ABSENT {
    const found = find(value, this.#field);
    chargeFound(frame, found, this.id);
    return found;
  }
}

/** A selection of a field from a value that the checker knows to be an object literal. `testOnly` is true for `has(….field)`. */
export class LiteralFieldQualifier implements Qualifier {
  readonly id: number;
  readonly optional = false;
  readonly #field: string;
  readonly #testOnly: boolean;
  constructor(id: number, field: string, testOnly: boolean) {
    this.id = id;
    this.#field = field;
    this.#testOnly = testOnly;
  }
  qualify(frame: Frame, value: CelValue): CelValue | SelectionFailure {
    frame.charge(STEP, this.id);
    if (this.#testOnly) return value instanceof ObjectLiteral && value.fields.has(this.#field);
    if (!(value instanceof ObjectLiteral)) return new SelectionFailure(new CelError(`cannot get field ${goQuote(this.#field)}`));
    const found = value.readField(this.#field) ?? null;
    return found instanceof CelError ? new SelectionFailure(found) : found;
  }
  qualifyIfPresent(frame: Frame, value: CelValue): CelValue | SelectionFailure | typeof ABSENT {
    return value instanceof ObjectLiteral && value.fields.has(this.#field) ? this.qualify(frame, value) : ABSENT;
  }
}

/** A selection whose key is computed by an expression. */
export class ComputedQualifier implements Qualifier {
  readonly id: number;
  readonly optional: boolean;
  readonly #key: Attribute;
  constructor(id: number, key: Attribute, presence: 'required' | 'optional') {
    this.id = id;
    this.#key = key;
    this.optional = presence === 'optional';
  }
  qualify(frame: Frame, value: CelValue): CelValue | SelectionFailure {
    const key = this.#resolveKey(frame);
    const found = key instanceof SelectionFailure ? key : findOrFail(value, key);
    frame.charge(STEP, this.id);
    return found;
  }
  qualifyIfPresent(frame: Frame, value: CelValue): CelValue | SelectionFailure | typeof ABSENT {
    const key = this.#resolveKey(frame);
    const found = key instanceof SelectionFailure ? key : find(value, key);
    chargeFound(frame, found, this.id);
    return found;
  }
  #resolveKey(frame: Frame): CelValue | SelectionFailure {
    const key = this.#key.resolve(frame);
    if (key instanceof SelectionFailure) return key;
    const error = badKey(key, frame.semantics);
    return error === undefined ? key : new SelectionFailure(error);
  }
}
