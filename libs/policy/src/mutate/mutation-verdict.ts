import type { JsonObject } from '#go';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { PolicyRefusal } from '../validate/verdict.ts';

/** The result of the mutating policies for a request. */
export interface MutationVerdict {
  /** Refusal of the request; undefined if the request is admitted. */
  readonly refusal: PolicyRefusal | undefined;
  /** Object after all mutations. Undefined if the request has no object. */
  readonly object: JsonObject | undefined;
  /** True if the policies were called a second time because the object changed. */
  readonly reinvoked: boolean;
  /** Records of all mutations that were called, in order. */
  readonly mutations: readonly MutationRun[];
  /**
   * Error of a panic in the server's code. Undefined if the server does not panic. If the server panics, the other properties have no
   * meaning.
   */
  readonly panic: string | undefined;
}

/** Record of one call of a mutation. `index` is the index of the mutation in its policy. */
export interface MutationRun {
  readonly policy: string;
  /** Parameter object: its name, or `namespace/name` if the object has a namespace. Empty if there is no parameter object. */
  readonly param: string;
  readonly index: number;
  /** Number of the pass through the policies in which the mutation was called: 1, or 2 for the pass that calls policies a second time. */
  readonly pass: number;
  readonly error: string | undefined;
  /** Records of all evaluated expressions, in the order in which the evaluations ended. */
  readonly evaluations: readonly ProgramRun[];
}
