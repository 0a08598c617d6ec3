import type { JsonObject } from '#go';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import type { Refusal } from '../validate/verdict.ts';

/** The result of the mutating policies for a request. */
export interface MutationVerdict {
  /** Absent: admitted. */
  readonly refusal: Refusal | undefined;
  /** The object afterwards; undefined where there is none. */
  readonly object: JsonObject | undefined;
  /** True if the policies were called a second time because the object changed. */
  readonly reinvoked: boolean;
  /** Every mutation that was called, in order. */
  readonly mutations: readonly MutationRun[];
  /** Error with which the server's code would panic. The verdict then has no other meaning. */
  readonly panic: string | undefined;
}

/** One call of a mutation. */
export interface MutationRun {
  readonly policy: string;
  /** The parameter: its name, after its namespace and a slash where it has one; empty: none. */
  readonly param: string;
  readonly index: number;
  /** 1, or 2 when called again. */
  readonly pass: number;
  readonly error: string | undefined;
  /** Every run of a program, in the order in which they ended. */
  readonly evaluations: readonly ProgramRun[];
}
