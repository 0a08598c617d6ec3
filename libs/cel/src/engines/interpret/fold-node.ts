import { otherGoType } from '../../values/go-type.ts';
import { ArrayList, MutableList } from '../../values/list.ts';
import { MutableMap } from '../../values/map.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { isList, isMap } from '../../values/type-of.ts';
import { CelError } from '../../values/value.ts';
import type { CelList, CelMap, CelValue } from '../../values/value.ts';
import type { Accumulator } from './attribute.ts';
import type { Frame, Node } from './node.ts';

/** Planned nodes and variable slots (indices in {@link Frame.slots}) of a comprehension. */
export interface FoldParts {
  readonly range: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
  readonly firstSlot: number;
  /**
   * Slot (index in {@link Frame.slots}) of the second iteration variable. Undefined if the comprehension has only one iteration variable.
   */
  readonly secondSlot: number | undefined;
}

/** Accumulator of a comprehension. If its initial value is an empty list or map, new elements or entries are added in place. */
export class FoldAccumulator implements Accumulator {
  readonly slot: number;
  readonly #initial: Node;
  constructor(slot: number, initial: Node) {
    this.slot = slot;
    this.#initial = initial;
  }
  initialize(frame: Frame): CelValue {
    const initial = this.#initial.eval(frame);
    let value = initial;
    if (isList(initial) && initial.size === 0) value = new MutableList();
    else if (isMap(initial) && initial.size === 0) value = new MutableMap();
    frame.slots[this.slot] = value;
    return value;
  }
}

function notIterable(range: CelValue, loop: 'oneVariable' | 'twoVariables'): CelError {
  const type = otherGoType(range);
  return new CelError(loop === 'twoVariables' ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`);
}

/**
 * Values of the iteration variables in a comprehension, such as `x` in `list.all(x, …)`. Each list has one value for each iteration.
 * `first` belongs to the first variable and `second` to the second. `second` is empty if there is only one variable. The loop of generated
 * code reads these lists.
 */
export interface RangeEntries {
  readonly first: readonly CelValue[];
  readonly second: readonly CelValue[];
}

/** Returns the elements of a list, or the keys of a map. Returns an error for other values. */
export function entriesOf(context: EvaluationContext, range: CelValue): RangeEntries | CelError {
  if (isList(range)) return { first: elementsOf(context, range), second: [] };
  return isMap(range) ? { first: [...range.keys()], second: [] } : notIterable(range, 'oneVariable');
}

/** Returns the indexes and elements of a list, or the keys and values of a map. Returns an error for other values. */
export function entryPairsOf(context: EvaluationContext, range: CelValue): RangeEntries | CelError {
  if (isList(range)) {
    const second = elementsOf(context, range);
    return { first: second.map((_, index) => index), second };
  }
  if (!isMap(range)) return notIterable(range, 'twoVariables');
  const first = [...range.keys()];
  return { first, second: first.map((key) => range.get(key) ?? null) };
}

function elementsOf(context: EvaluationContext, list: CelList): CelValue[] {
  const elements: CelValue[] = [];
  for (let i = 0; i < list.size; i++) {
    context.poll();
    elements.push(list.at(i));
  }
  return elements;
}

/**
 * Node of a comprehension. The loop itself costs nothing. Its condition and step are charged in each iteration. Source: cel-go
 * interpreter/interpretable.go `evalFold` (v0.29.2).
 */
export class FoldNode implements Node {
  readonly id: number;
  readonly #parts: FoldParts;
  readonly #accumulator: FoldAccumulator;
  constructor(id: number, parts: FoldParts, accumulator: FoldAccumulator) {
    this.id = id;
    this.#parts = parts;
    this.#accumulator = accumulator;
  }

  eval(frame: Frame): CelValue {
    const range = this.#parts.range.eval(frame);
    if (range instanceof CelError) return range;
    if (isList(range) || isMap(range)) frame.noteRange(this.id, range.size);
    const outer = frame.slots[this.#accumulator.slot];
    frame.slots[this.#accumulator.slot] = undefined;
    if (frame.semantics.accumulatorsAreEager) this.#accumulator.initialize(frame);
    if (isList(range)) this.#overList(frame, range);
    else if (isMap(range)) this.#overMap(frame, range);
    else return notIterable(range, this.#parts.secondSlot === undefined ? 'oneVariable' : 'twoVariables');
    const result = this.#result(frame);
    frame.slots[this.#accumulator.slot] = outer;
    return result;
  }

  #overList(frame: Frame, list: CelList): void {
    const { firstSlot, secondSlot } = this.#parts;
    const size = list.size;
    for (let i = 0; i < size; i++) {
      if (secondSlot === undefined) frame.slots[firstSlot] = list.at(i);
      else {
        frame.slots[firstSlot] = i;
        frame.slots[secondSlot] = list.at(i);
      }
      if (!this.#step(frame)) return;
    }
  }

  #overMap(frame: Frame, map: CelMap): void {
    const { firstSlot, secondSlot } = this.#parts;
    for (const key of map.keys()) {
      frame.slots[firstSlot] = key;
      if (secondSlot !== undefined) frame.slots[secondSlot] = map.get(key) ?? null;
      if (!this.#step(frame)) return;
    }
  }

  /** Runs one iteration of the comprehension. Returns false if the condition ends the loop. An error of the condition does not end it. */
  #step(frame: Frame): boolean {
    if (this.#parts.condition.eval(frame) === false) return false;
    frame.slots[this.#accumulator.slot] = this.#parts.step.eval(frame);
    frame.poll();
    return true;
  }

  #result(frame: Frame): CelValue {
    const result = this.#parts.result.eval(frame);
    if (result instanceof MutableList) return new ArrayList(result.elements);
    return result instanceof MutableMap ? result.frozen() : result;
  }
}
