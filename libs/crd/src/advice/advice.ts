import type { CostedPart, WrittenNode } from '#cel';
import type { Minor } from '#kube';
import type { BoundChange } from '../explain/bounds.ts';
import type { ExpressionCost } from '../explain/limited-cost.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';
import type { RuleCost } from '../verdict.ts';

/** Compiled rule, with all data that advice is derived from. */
export interface AdvisedRule {
  readonly minor: Minor;
  /** Oldest Kubernetes minor version that must accept the definition; undefined if the user named none. */
  readonly oldest: Minor | undefined;
  readonly source: ValidationRule;
  /** Syntax tree of the rule as its author wrote it. */
  readonly tree: WrittenNode;
  /**
   * Estimated costs of the rule's parts; undefined if they were not computed. Without these costs, the kinds of advice that need them are
   * skipped.
   */
  readonly parts: CostedPart | undefined;
  readonly cost: RuleCost;
  /** Path to the node with the rule, from the root of the schema of a version of the definition. */
  readonly steps: SchemaPath;
  readonly schema: SchemaProps;
  /** Whole schema of the definition's version that contains the rule. */
  readonly root: SchemaProps;
  /** All rules in the same version of the definition that compile, including this rule. */
  readonly all: readonly WrittenRule[];
  /**
   * Returns the least number of characters of a text that contains a match of a pattern; Infinity if no text does. Returns undefined if
   * this is not known, for example for a very large pattern.
   */
  readonly minMatchLength: (pattern: string) => number | undefined;
  /** Returns true if a server of the given Kubernetes minor version compiles the rule in a new definition. */
  readonly compilesOn: (minor: Minor) => boolean;
}

/** Syntax tree of a rule, with the path of the rule's schema node from the root of the version's schema. */
export interface WrittenRule {
  readonly steps: SchemaPath;
  readonly tree: WrittenNode;
}

/** Schema of a version of the definition with the costs of all its rules, for advice that considers the rules together. */
export interface AdvisedSchema {
  readonly root: SchemaProps;
  /** Cost of each rule, with a function that estimates the cost again under changed bounds (`maxItems`, `maxProperties`, `maxLength`). */
  readonly prices: readonly ExpressionCost[];
  /** Bounds that are suggested for the version. Empty if it needs none, or if no bounds suffice. */
  readonly suggested: readonly BoundChange[];
}

/** Schema node of the definition, for advice that considers the keywords of single nodes. */
export interface AdvisedNode {
  readonly schema: SchemaProps;
  /** Path of the node from the root of the version's schema, such as `properties[spec].anyOf[0]`. Empty for the root. */
  readonly path: string;
  /** See {@link AdvisedRule.minMatchLength}. */
  readonly minMatchLength: AdvisedRule['minMatchLength'];
}

/** One piece of advice that an advice kind gives on a rule, on a schema node, or on the rules of a version. */
export interface FoundAdvice {
  /** One or two sentences that describe the finding and suggest an improvement. */
  readonly text: string;
  /** Start of the advised part in the rule, in code points from 0; undefined for the whole rule. */
  readonly offset?: number | undefined;
  /**
   * Path of the rule that the advice is about, such as `properties[spec].x-kubernetes-validations[0]`. Only advice that considers all rules
   * of a version together sets it. For advice on a schema node, it is the path of the keyword, such as `properties[spec].pattern`.
   */
  readonly path?: string;
  /** Missing bound that the advice is about: field and keyword. Advice about the same bound is reported only once. */
  readonly bound?: string;
}

/** Two example schemas of `spec` in YAML. The advice is given for `before` but not for `after`. */
export interface AdviceExample {
  readonly before: string;
  readonly after: string;
  /** Oldest Kubernetes minor version that must accept the example definition, if the advice depends on it. */
  readonly oldest?: Minor;
  /** True if a server rejects the `before` example. */
  readonly refused?: boolean;
}

/** Kind of advice: its id, its texts, and the functions that find it. The documentation is generated from this declaration. */
export interface AdviceKind {
  /** Stable id in kebab-case. Users disable the advice with this id. */
  readonly id: string;
  /** Short title of the advice. */
  readonly title: string;
  /** Text for the documentation: when the advice is given, why it helps, and when it does not apply. */
  readonly doc: string;
  readonly example: AdviceExample;
  /** True if the advice needs the costs of a rule's parts. Editors skip such advice, because they do not wait for these costs. */
  readonly needsParts?: true;
  /** Returns the advice on one rule. */
  readonly ofRule?: (rule: AdvisedRule) => readonly FoundAdvice[];
  /** Returns the advice on one schema node. */
  readonly ofNode?: (node: AdvisedNode) => readonly FoundAdvice[];
  /** Returns the advice on all rules of one version of the definition together. */
  readonly ofSchema?: (schema: AdvisedSchema) => readonly FoundAdvice[];
}

/** Advice about a definition. */
export interface Advice {
  /** Id of the kind of advice. */
  readonly id: string;
  /** Versions of the definition whose schemas have the rule or keyword at the same path. */
  readonly versions: readonly string[];
  /**
   * Path of the rule, in the notation of rule costs: `properties[spec].x-kubernetes-validations[0]`. For advice on a schema node, the path
   * of the keyword, its element or its key: `properties[spec].enum[0]`.
   */
  readonly path: string;
  readonly text: string;
  /** Line and column at which the advised part starts in the text of the rule or keyword. Both count from 1, columns in code points. */
  readonly line: number;
  readonly column: number;
}

/** Removes repeated texts. The first finding with each text is kept. */
export const withoutRepeats = (found: readonly FoundAdvice[]): FoundAdvice[] =>
  found.filter(({ text }, i) => found.findIndex((other) => other.text === text) === i);
