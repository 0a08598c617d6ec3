import type { CelValue } from '../../values/value.ts';
import type { Attribute } from './attribute.ts';
import type { Frame } from './frame.ts';
import type { Node } from './node.ts';
import type { Qualifier } from './qualifier.ts';

/** A node whose evaluations are counted. */
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

/** A chain whose resolutions are counted, for what it begins with and for each step, also where it stops early. It may be resolved without the node around it. */
export class ObservedChain implements Attribute {
  readonly #nodes: number[];
  readonly #attribute: Attribute;

  /** @param start the node that the chain begins with; undefined where that counts by itself */
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
  resolve(frame: Frame): CelValue {
    for (const node of this.#nodes) frame.note(node);
    return this.#attribute.resolve(frame);
  }
}

/** A choice that is counted. The steps that follow it belong to the chains of its branches. */
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
