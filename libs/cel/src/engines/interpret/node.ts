import type { CelValue } from '../../values/value.ts';
import type { Frame } from './frame.ts';

/**
 * Node of the tree that the interpreter evaluates. The evaluation of a node charges its cost. The kinds of nodes follow upstream. Source:
 * cel-go interpreter/interpretable.go (v0.29.2).
 */
export interface Node {
  /** Id of the expression node from which the node was planned. */
  readonly id: number;
  eval(frame: Frame): CelValue;
}

/** Literal, or result of constant folding (evaluation at compile time). Its evaluation costs nothing. */
export class ConstantNode implements Node {
  readonly id: number;
  readonly value: CelValue;
  constructor(id: number, value: CelValue) {
    this.id = id;
    this.value = value;
  }
  eval(): CelValue {
    return this.value;
  }
}
