import type { CelValue } from '../../values/value.ts';
import type { Frame } from './frame.ts';

/** A step of a program. Evaluating it charges what it costs. Source of the shapes: cel-go interpreter/interpretable.go (v0.29.2). */
export interface Node {
  /** Id of its expression node. */
  readonly id: number;
  eval(frame: Frame): CelValue;
}

/** A literal, or what folding made one. Free. */
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
