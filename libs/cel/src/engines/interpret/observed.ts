import type { CelValue } from '../../values/value.ts';
import type { Attribute } from './attribute.ts';
import type { Frame, Node } from './node.ts';
import type { SelectionFailure } from './qualifier.ts';
import type { Qualifier } from './qualifier.ts';

/** Node of the interpreter that evaluates another node and counts its evaluations. */
export class ObservedNode implements Node {
  readonly id: number;
  readonly #node: Node;
  constructor(id: number, node: Node) {
    this.id = id;
    this.#node = node;
  }
  eval(frame: Frame): CelValue {
    frame.note(this.id);
    return this.#node.eval(frame);
  }
}

/**
 * Chain of selections, such as `a.b.c`, that counts how often its value is determined. Each time counts once for the start and once for
 * each selection, even if an early selection fails. The interpreter's nodes cannot count this, because the value of a chain may be
 * determined without an evaluation of its node.
 */
export class ObservedChain implements Attribute {
  readonly #nodes: number[];
  readonly #attribute: Attribute;

  /** @param start Id of the node at the start of the chain of selections. Undefined if that node itself counts its evaluations. */
  constructor(start: number | undefined, attribute: Attribute) {
    this.#nodes = start === undefined ? [] : [start];
    this.#attribute = attribute;
  }
  get nodeCost(): number {
    return this.#attribute.nodeCost;
  }
  addQualifier(qualifier: Qualifier): void {
    this.#nodes.push(qualifier.id);
    this.#attribute.addQualifier(qualifier);
  }
  resolve(frame: Frame): CelValue | SelectionFailure {
    for (const node of this.#nodes) frame.note(node);
    return this.#attribute.resolve(frame);
  }
}

/**
 * Conditional `c ? a : b` that counts how often it is resolved. A selection after it, such as `.d` in `(c ? a : b).d`, is counted by
 * the chosen branch: `a` and `b` are chains of selections themselves.
 */
export class ObservedChoice extends ObservedChain {
  readonly #choice: Attribute;
  constructor(id: number, choice: Attribute) {
    super(id, choice);
    this.#choice = choice;
  }
  override addQualifier(qualifier: Qualifier): void {
    this.#choice.addQualifier(qualifier);
  }
}
