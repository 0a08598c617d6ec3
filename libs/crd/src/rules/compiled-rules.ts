import type { CheckedExpression, Evaluation, NodeReadings, PricedPart, Program } from '#cel';
import type { FieldPath } from '#kube';
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
  /** Prices the parts of the rule by what one evaluation gave; of rules that are compiled to be measured. */
  readonly price: ((readings: NodeReadings) => PricedPart) | undefined;
  /** The checked expression, to whose nodes readings belong; of rules that are compiled to be measured. */
  readonly checked: CheckedExpression | undefined;
  /** The rule's fieldPath as it prints; empty for none. */
  readonly fieldPath: string;
}

/** Told of each evaluation of a rule (its messageExpression aside), and where in the object that was. */
export type RuleObserver = (rule: CompiledRule, path: FieldPath | undefined, evaluation: Evaluation) => void;

/** The rules of one schema node and of all below. Only nodes with rules somewhere below them are there. */
export interface CompiledRules {
  /** Compiled when they are first asked for. */
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
