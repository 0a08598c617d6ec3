import { LIST_CREATION, MAP_CREATION, MESSAGE_CREATION } from '../../library/step-prices.ts';
import { ArrayList } from '../../values/list.ts';
import { formatValue } from '../../values/format-value.ts';
import { isUnhashable, unhashable } from '../../values/go-type.ts';
import { EntryMap } from '../../values/map.ts';
import { CelError, Optional } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import type { MessageType } from '../../values/messages/message-value.ts';
import type { Frame, Node } from './node.ts';

/** Charges the cost of a literal, and returns its value. Since 1.38, a literal that is an error costs nothing. */
function charged(frame: Frame, units: number, id: number, value: CelValue): CelValue {
  if (!(value instanceof CelError && frame.semantics.failuresEndCalls)) frame.charge(units, id);
  return value;
}

/** One planned element of a list literal. `optional` is true for `?element`, which is omitted if its value is an empty optional. */
export interface ListElement {
  readonly node: Node;
  readonly optional: boolean;
}

/**
 * Node of a list literal `[a, ?b]`. Elements after a failing element are not evaluated. A literal with a failing element has its cost only
 * before 1.38.
 */
export class ListNode implements Node {
  readonly id: number;
  readonly elements: readonly ListElement[];
  constructor(id: number, elements: readonly ListElement[]) {
    this.id = id;
    this.elements = elements;
  }
  eval(frame: Frame): CelValue {
    const value = this.build(frame);
    return charged(frame, LIST_CREATION, this.id, value);
  }
  build(frame: Frame): CelValue {
    const values: CelValue[] = [];
    for (const { node, optional } of this.elements) {
      const value = node.eval(frame);
      if (value instanceof CelError) return value;
      if (!optional) values.push(value);
      else if (!(value instanceof Optional)) {
        return new CelError(`cannot initialize optional list element from non-optional value ${formatValue(value)}`);
      } else if (value.value !== undefined) values.push(value.value);
    }
    return new ArrayList(values);
  }
}

/**
 * Interpreter nodes of one entry of a map literal. `optional` is true for `?key: value`, which is omitted if `value` is an empty optional.
 */
export interface MapNodeEntry {
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

/** Node of a map literal `{k: v, ?k: o}`. A later entry replaces an earlier entry with the same key. */
export class MapNode implements Node {
  readonly id: number;
  readonly entries: readonly MapNodeEntry[];
  constructor(id: number, entries: readonly MapNodeEntry[]) {
    this.id = id;
    this.entries = entries;
  }
  eval(frame: Frame): CelValue {
    const value = this.build(frame);
    return charged(frame, MAP_CREATION, this.id, value);
  }
  build(frame: Frame): CelValue {
    const map = new EntryMap();
    for (const entry of this.entries) {
      const key = entry.key.eval(frame);
      if (key instanceof CelError) return key;
      const value = entry.value.eval(frame);
      if (value instanceof CelError) return value;
      if (isUnhashable(key)) throw unhashable(key);
      if (!entry.optional) map.set(key, value);
      else if (!(value instanceof Optional)) {
        return new CelError(`cannot initialize optional entry '${formatValue(key)}' from non-optional value ${formatValue(value)}`);
      } else if (value.value === undefined) map.delete(key);
      else map.set(key, value.value);
    }
    return map;
  }
}

/**
 * Field of a message literal, with the node that computes its value. `optional` is true for `?field: value`. The message omits such a field
 * if `value` is an empty optional.
 */
export interface MessageField {
  readonly name: string;
  readonly value: Node;
  readonly optional: boolean;
}

/** Node of a message literal `Name{f: v, ?g: o}`. A later field replaces an earlier field with the same name. */
export class MessageNode implements Node {
  readonly id: number;
  readonly message: MessageType;
  readonly fields: readonly MessageField[];
  constructor(id: number, message: MessageType, fields: readonly MessageField[]) {
    this.id = id;
    this.message = message;
    this.fields = fields;
  }
  eval(frame: Frame): CelValue {
    const fields = this.#fields(frame);
    if (fields instanceof CelError) return charged(frame, MESSAGE_CREATION, this.id, fields);
    const value = this.message.make(fields);
    frame.charge(MESSAGE_CREATION, this.id);
    return value;
  }
  #fields(frame: Frame): Map<string, CelValue> | CelError {
    const fields = new Map<string, CelValue>();
    for (const { name, value: node, optional } of this.fields) {
      const value = node.eval(frame);
      if (value instanceof CelError) return value;
      if (!optional) fields.set(name, value);
      else if (!(value instanceof Optional)) {
        return new CelError(`cannot initialize optional entry '${name}' from non-optional value ${formatValue(value)}`);
      } else if (value.value === undefined) fields.delete(name);
      else fields.set(name, value.value);
    }
    return fields;
  }
}
