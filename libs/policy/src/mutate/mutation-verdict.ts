import type { JsonObject } from '#go';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { Refusal } from '../validate/verdict.ts';

/** The result of the mutating policies for a request. */
export interface MutationVerdict {
  /** Refusal of the request; undefined if the request is admitted. */
  readonly refusal: Refusal | undefined;
  /** Object after all mutations; undefined if there is no object. */
  readonly object: JsonObject | undefined;
  /** True if the policies were called a second time because the object changed. */
  readonly reinvoked: boolean;
  /** Every mutation that was called, in order. */
  readonly mutations: readonly MutationRun[];
  /** Error with which the server's code would panic; undefined if it does not panic. If it is set, the other fields have no meaning. */
  readonly panic: string | undefined;
}

/** One call of a mutation. */
export interface MutationRun {
  readonly policy: string;
  /** Parameter object: its name, or `namespace/name` if the object has a namespace. Empty if there is no parameter object. */
  readonly param: string;
  readonly index: number;
  /** Number of the pass: 1, or 2 if the policies are called again. */
  readonly pass: number;
  readonly error: string | undefined;
  /** Every run of a program, in the order in which they ended. */
  readonly evaluations: readonly ProgramRun[];
}
