import { CelError, NONE, noSuchOverload, Optional } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { UnreadableStruct } from '../../values/copied-list.ts';
import { CHAIN } from '../../library/step-prices.ts';
import type { Frame, Node } from './node.ts';
import { ABSENT, SelectionFailure } from './qualifier.ts';
import type { Qualifier } from './qualifier.ts';
import { viewJson } from '../../values/json-view.ts';
import type { JsonValue } from '#go';
import { RawList, RawMap } from '../../values/wrap.ts';

/**
 * A chain: a start value and the selections from it, such as `a.b[c]`. {@link Attribute.resolve} charges each selection. The base cost of
 * one unit for the chain is charged by {@link AttributeNode}. If a chain is a branch of `?:` or an index key, only `resolve` is called.
 * The base cost is then not charged. Source: cel-go interpreter/attributes.go (v0.29.2).
 */
export interface Attribute {
  /**
   * Cost of the node that contains the chain of selections: {@link CHAIN}, or 0 for a conditional. Source: cel-go
   * interpreter/runtimecost.go `Observe` (v0.29.2).
   */
  readonly nodeCost: number;
  addQualifier(qualifier: Qualifier): void;
  /**
   * Returns the value at the end of the chain, or a failure. An error that is an element of a list is a value. A further selection fails
   * with it.
   */
  resolve(frame: Frame): CelValue | SelectionFailure;
}

/**
 * Applies the selections of a chain to its start value `start`, one after another. After an optional selection, all further selections are
 * optional, and the result is an optional.
 */
function follow(frame: Frame, start: CelValue, qualifiers: readonly Qualifier[]): CelValue | SelectionFailure {
  let value: CelValue = start;
  let optional = false;
  if (value instanceof Optional) {
    if (value.value === undefined) return value;
    value = frame.semantics.optionalsLoseSchemas ? withoutSchema(value.value) : value.value;
    optional = true;
  } else if (endsChain(frame, start)) return new SelectionFailure(start);
  else if (qualifiers.length === 0) return start;
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    const next = optional ? qualifier.qualifyIfPresent(frame, value) : qualifier.qualify(frame, value);
    if (next === ABSENT) return NONE;
    if (next instanceof SelectionFailure) return next;
    value = next;
  }
  return optional ? new Optional(value) : value;
}

/** Returns true if a chain of selections that starts with `start` ends before its first selection is charged. */
const endsChain = ({ semantics }: Frame, start: CelValue): start is CelError =>
  start instanceof CelError && !semantics.errorsAreQualified && !(start instanceof UnreadableStruct);

abstract class Chain implements Attribute {
  readonly nodeCost = CHAIN;
  protected readonly qualifiers: Qualifier[] = [];
  addQualifier(qualifier: Qualifier): void {
    this.qualifiers.push(qualifier);
  }
  abstract resolve(frame: Frame): CelValue | SelectionFailure;
}

/** A chain of selections, such as `a.b[c]`, that starts with a variable of the expression. */
export class VariableAttribute extends Chain {
  readonly #name: string;
  constructor(name: string) {
    super();
    this.#name = name;
  }
  resolve(frame: Frame): CelValue | SelectionFailure {
    const value = frame.variables[this.#name];
    if (value === undefined) return new SelectionFailure(new CelError(`no such attribute(s): ${this.#name}`));
    return follow(frame, value, this.qualifiers);
  }
}

/** A chain of selections that starts with an iteration variable of a comprehension. */
export class LocalAttribute extends Chain {
  readonly #slot: number;
  constructor(slot: number) {
    super();
    this.#slot = slot;
  }
  resolve(frame: Frame): CelValue | SelectionFailure {
    return follow(frame, frame.slots[this.#slot] as CelValue, this.qualifiers);
  }
}

/**
 * An accumulator variable of a comprehension. Its initial value is computed when it is first read. `slot` is its index in {@link
 * Frame.slots}.
 */
export interface Accumulator {
  readonly slot: number;
  initialize(frame: Frame): CelValue;
}

/**
 * A chain of selections that starts with the accumulator of a comprehension. The initial value of the accumulator is computed when it is
 * first read.
 */
export class AccumulatorAttribute extends Chain {
  readonly #accumulator: Accumulator;
  constructor(accumulator: Accumulator) {
    super();
    this.#accumulator = accumulator;
  }
  resolve(frame: Frame): CelValue | SelectionFailure {
    const value = frame.slots[this.#accumulator.slot];
    return follow(frame, value === undefined ? this.#accumulator.initialize(frame) : value, this.qualifiers);
  }
}

/** A chain of selections, such as `f(x).b`, that starts with the value of an expression other than a variable. */
export class RelativeAttribute extends Chain {
  readonly #operand: Node;
  constructor(operand: Node) {
    super();
    this.#operand = operand;
  }
  resolve(frame: Frame): CelValue | SelectionFailure {
    const value = this.#operand.eval(frame);
    return value instanceof CelError ? new SelectionFailure(value) : follow(frame, value, this.qualifiers);
  }
}

/**
 * Chain of selections that starts with the conditional `(c ? a : b)`. A selection after the conditional, as in `(c ? a : b).name`, is added
 * to both branches.
 */
export class ConditionalAttribute implements Attribute {
  readonly nodeCost = 0;
  readonly #condition: Node;
  readonly #truthy: Attribute;
  readonly #falsy: Attribute;
  constructor(condition: Node, truthy: Attribute, falsy: Attribute) {
    this.#condition = condition;
    this.#truthy = truthy;
    this.#falsy = falsy;
  }
  addQualifier(qualifier: Qualifier): void {
    this.#truthy.addQualifier(qualifier);
    this.#falsy.addQualifier(qualifier);
  }
  resolve(frame: Frame): CelValue | SelectionFailure {
    const condition = this.#condition.eval(frame);
    if (condition === true) return this.#truthy.resolve(frame);
    return condition === false ? this.#falsy.resolve(frame) : new SelectionFailure(noSuchOverload(condition));
  }
}

/** Node that resolves a chain of selections, such as `a.b[c]`, and charges the base cost of one unit for a chain. */
export class AttributeNode implements Node {
  readonly id: number;
  readonly attribute: Attribute;
  readonly #cost: number;
  constructor(id: number, attribute: Attribute) {
    this.id = id;
    this.attribute = attribute;
    this.#cost = attribute.nodeCost;
  }
  eval(frame: Frame): CelValue {
    const value = this.attribute.resolve(frame);
    frame.charge(this.#cost, this.id);
    return value instanceof SelectionFailure ? value.error : value;
  }
}

/**
 * Interpreter node of `has(a.b)`. It charges the selections, but not the base cost of one unit for a chain of selections. If the chain
 * starts with a conditional, it refunds this unit although it was never charged, because upstream does the same before 1.38. Source: cel-go
 * interpreter/runtimecost.go `Observe` (v0.29.2).
 */
export class PresenceNode extends AttributeNode {
  override eval(frame: Frame): CelValue {
    const value = this.attribute.resolve(frame);
    if (this.attribute.nodeCost === 0 && !frame.semantics.failuresEndCalls) frame.refund(this.id);
    if (value instanceof SelectionFailure) return value.error;
    return value instanceof Optional ? value.value !== undefined : value;
  }
}

/**
 * Returns the CEL value that replaces a value whose schema is unknown. If the value contains JSON data of an object, the new value has
 * the same keys, without CEL's escapes, and scalars of JSON types. Returns all other values unchanged.
 *
 * An error is replaced by the error `unsupported conversion to ref.Val`, which upstream reports because a Go error is no CEL value. Source:
 * cel-go interpreter/attributes.go `applyQualifiers`, common/types/err.go `UnsupportedRefValConversionErr` (v0.17.8, v0.26.0).
 */
function withoutSchema(value: CelValue): CelValue {
  if (value instanceof CelError) return new CelError(`unsupported conversion to ref.Val: (*errors.errorString)${value.message}`);
  return value instanceof RawMap || value instanceof RawList ? viewJson(value.raw as JsonValue) : value;
}
