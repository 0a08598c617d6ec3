import type { Program } from '#cel';
import type { Structural } from '../structural/structural.ts';
import type { ValidationRule } from '../schema/schema-props.ts';

/** One rule, ready to be evaluated; or the text of why it cannot be. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** Undefined for a blank rule, which is skipped, and for one with an error. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: Program | undefined;
  /** The rule's fieldPath as it prints; empty for none. */
  readonly fieldPath: string;
}

/** The rules of one schema node and of all below. Only nodes with rules somewhere below them are there. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** Why no rule of the node can be compiled: it has no CEL type. */
  readonly error: string | undefined;
  /** The node's schema as values are read by, with resource metadata where there is such. */
  readonly schema: Structural;
  readonly valueSchema: Structural;
  readonly usesOldSelf: boolean;
  readonly items: CompiledRules | undefined;
  readonly properties: readonly (readonly [string, CompiledRules])[];
  readonly additionalProperties: CompiledRules | undefined;
  /** Rules inside allOf, which definitions may not have but native types do. */
  readonly allOf: readonly CompiledRules[];
}
