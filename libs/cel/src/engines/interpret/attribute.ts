import { noSuchOverload } from '../../values/errors.ts';
import { CelError, Optional } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { CHAIN } from '../../library/step-prices.ts';
import { NONE } from '../../values/optional-none.ts';
import { withoutSchema } from '../../values/schemaless.ts';
import type { Frame } from './frame.ts';
import type { Node } from './node.ts';
import { ABSENT, Failure } from './qualifier.ts';
import type { Qualifier } from './qualifier.ts';

/**
 * A chain: a base value and the steps from it. Resolving it charges the steps but not the chain itself, which its node
 * charges. So branches of `?:` and index keys, which are resolved without their node, do not pay for the chain. Source:
 * cel-go interpreter/attributes.go (v0.29.2).
 */
export interface Attribute {
  /**
   * Cost of the node around it: {@link CHAIN}, or 0 for a choice. Source: cel-go interpreter/runtimecost.go `Observe`
   * (v0.29.2).
   */
  readonly nodeCost: number;
  addQualifier(qualifier: Qualifier): void;
  resolve(frame: Frame): CelValue;
}

/** Follows the steps. Once a step is optional, so is the rest, and the result. */
function follow(frame: Frame, start: CelValue, qualifiers: readonly Qualifier[]): CelValue {
  let value: CelValue = start;
  let optional = false;
  if (value instanceof Optional) {
    if (value.value === undefined) return value;
    value = frame.semantics.optionalsLoseSchemas ? withoutSchema(value.value) : value.value;
    optional = true;
  } else if (qualifiers.length === 0 || (start instanceof CelError && !frame.semantics.errorsAreQualified)) return start;
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    const next = optional ? qualifier.qualifyIfPresent(frame, value) : qualifier.qualify(frame, value);
    if (next === ABSENT) return NONE;
    if (next instanceof Failure) return next.error;
    value = next;
  }
  return optional ? new Optional(value) : value;
}

abstract class Chain implements Attribute {
  readonly nodeCost = CHAIN;
  protected readonly qualifiers: Qualifier[] = [];
  addQualifier(qualifier: Qualifier): void {
    this.qualifiers.push(qualifier);
  }
  abstract resolve(frame: Frame): CelValue;
}

/** A chain from a variable of the expression. */
export class VariableAttribute extends Chain {
  readonly #name: string;
  constructor(name: string) {
    super();
    this.#name = name;
  }
  resolve(frame: Frame): CelValue {
    const value = frame.variables[this.#name];
    if (value === undefined) return new CelError(`no such attribute(s): ${this.#name}`);
    return follow(frame, value, this.qualifiers);
  }
}

/** A chain from an iteration variable. */
export class LocalAttribute extends Chain {
  readonly #slot: number;
  constructor(slot: number) {
    super();
    this.#slot = slot;
  }
  resolve(frame: Frame): CelValue {
    return follow(frame, frame.slots[this.#slot] as CelValue, this.qualifiers);
  }
}

/** The initial value of an accumulator. */
export interface Accumulator {
  readonly slot: number;
  initialize(frame: Frame): CelValue;
}

/** A chain from an accumulator, whose first value is computed when it is first read. */
export class AccumulatorAttribute extends Chain {
  readonly #accumulator: Accumulator;
  constructor(accumulator: Accumulator) {
    super();
    this.#accumulator = accumulator;
  }
  resolve(frame: Frame): CelValue {
    const value = frame.slots[this.#accumulator.slot];
    return follow(frame, value === undefined ? this.#accumulator.initialize(frame) : value, this.qualifiers);
  }
}

/** A chain from the value of any other expression. */
export class RelativeAttribute extends Chain {
  readonly #operand: Node;
  constructor(operand: Node) {
    super();
    this.#operand = operand;
  }
  resolve(frame: Frame): CelValue {
    const value = this.#operand.eval(frame);
    return value instanceof CelError ? value : follow(frame, value, this.qualifiers);
  }
}

/** The attribute `(c ? a : b)`. A field or index behind it, as in `(c ? a : b).name`, applies to both branches. */
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
  resolve(frame: Frame): CelValue {
    const condition = this.#condition.eval(frame);
    if (condition === true) return this.#truthy.resolve(frame);
    return condition === false ? this.#falsy.resolve(frame) : noSuchOverload(condition);
  }
}

/** The node around a chain. */
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
    return value;
  }
}

/**
 * The node around the chain of `has(a.b)`: only its steps cost. Upstream takes the unit of a chain off again, also where the chain is a choice,
 * which never costs one. Source: cel-go interpreter/runtimecost.go `Observe` (v0.29.2).
 */
export class PresenceNode extends AttributeNode {
  override eval(frame: Frame): CelValue {
    const value = this.attribute.resolve(frame);
    if (this.attribute.nodeCost === 0) frame.refund(this.id);
    return value instanceof Optional ? value.value !== undefined : value;
  }
}
