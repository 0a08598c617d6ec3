import type { CheckedExpression, Evaluation, NodeReadings, CostedPart, Program } from '#cel';
import type { FieldPath } from '#kube';
import type { Structural } from '../structural/structural.ts';
import type { ValidationRule } from '../schema/schema-props.ts';

/** Compiled rule that is ready for evaluation, or the text of its compilation error. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** Program that evaluates the rule. Undefined if the rule is blank, and therefore skipped, or has an error. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: Program | undefined;
  /**
   * Computes the cost of each part of the rule from the costs and counts of its nodes in one evaluation. Undefined unless the rule is
   * compiled with the engine `measured`.
   */
  readonly price: ((readings: NodeReadings) => CostedPart) | undefined;
  /**
   * Checked expression of the rule, to whose nodes the costs and counts of an evaluation refer. Undefined unless the rule is compiled with
   * the engine `measured`.
   */
  readonly checked: CheckedExpression | undefined;
  /** Printed form of the rule's `fieldPath`. Empty if the rule has no `fieldPath`. */
  readonly fieldPath: string;
}

/**
 * Callback that is called after each evaluation of a rule, with the path of the evaluated value. Evaluations of a messageExpression do not
 * call it.
 */
export type RuleObserver = (rule: CompiledRule, path: FieldPath | undefined, evaluation: Evaluation) => void;

/** Rules of one schema node and of all nodes below it. Nodes that have no rules at or below them are left out. */
export interface CompiledRules {
  /** Compiled rules of the node. They are compiled at the first access. */
  readonly rules: readonly CompiledRule[];
  /** Reason why no rule of the node can be compiled: the node has no CEL type. Undefined if the node has a CEL type or no rules. */
  readonly error: string | undefined;
  /**
   * Structural schema of the node. `valueSchema` is the schema for reading values; for a whole resource, it also declares apiVersion, kind
   * and metadata.
   */
  readonly schema: Structural;
  readonly valueSchema: Structural;
  readonly usesOldSelf: boolean;
  readonly items: CompiledRules | undefined;
  readonly properties: readonly (readonly [string, CompiledRules])[];
  readonly additionalProperties: CompiledRules | undefined;
  /** Rules inside `allOf`. A definition may not have such rules, but built-in types have them. */
  readonly allOf: readonly CompiledRules[];
}
