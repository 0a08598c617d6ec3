import type { CelValue } from '../../values/value.ts';
import type { Frame } from './frame.ts';

/**
 * A node of a program for the interpreter. Evaluating the node charges its cost. Source of the shapes: cel-go interpreter/interpretable.go
 * (v0.29.2).
 */
export interface Node {
  /** Id of the expression node from which the node was planned. */
  readonly id: number;
  eval(frame: Frame): CelValue;
}

/** A literal, or a value that was computed by folding. It costs nothing. */
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
