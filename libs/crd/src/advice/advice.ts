import type { PricedPart, WrittenNode } from '#cel';
import type { Minor } from '#kube';
import type { Reestimated } from '../explain/suggest-for-schema.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../schema/schema-props.ts';
import type { RuleCost } from '../verdict.ts';

/** A rule that compiles, with all that advice looks at. */
export interface AdvisedRule {
  readonly minor: Minor;
  /** The oldest minor that shall take the definition, where one was named. */
  readonly oldest: Minor | undefined;
  readonly source: ValidationRule;
  /** The rule as its author wrote it. */
  readonly tree: WrittenNode;
  /** Undefined where prices were not taken apart: kinds that need them are not asked then. */
  readonly parts: PricedPart | undefined;
  readonly cost: RuleCost;
  /** Path from the version's schema to the node with the rule. */
  readonly steps: SchemaPath;
  readonly schema: SchemaProps;
  /** The version's whole schema. */
  readonly root: SchemaProps;
  /** All rules of the version that compile, this one among them. */
  readonly all: readonly WrittenRule[];
  /** Returns true if a server of a minor compiles the rule in a new definition. */
  readonly compilesOn: (minor: Minor) => boolean;
}

/** A rule with its place, as other rules see it. */
export interface WrittenRule {
  readonly steps: SchemaPath;
  readonly tree: WrittenNode;
}

/** The rules of a version together. */
export interface AdvisedSchema {
  readonly root: SchemaProps;
  /** The price of each rule, and the function that estimates it again under other bounds. */
  readonly prices: readonly (Reestimated & { readonly path: string })[];
}

/** Something that one kind of advice has to say. */
export interface FoundAdvice {
  /** A sentence or two: what is so, and what would be better. */
  readonly text: string;
  /** Start of the advised part in the rule, in code points from 0; undefined for the whole rule. */
  readonly offset?: number | undefined;
  /** The rule that it is about, where the rules of a version were looked at together: as rule costs name it. */
  readonly path?: string;
  /** The bound that is missing, field and keyword, where it is about one: it is said once. */
  readonly bound?: string;
}

/** A definition's schema of `spec`, in YAML, that an advice is shown by: once so that it is given, once so that it is not. */
export interface AdviceExample {
  readonly before: string;
  readonly after: string;
  /** The oldest minor that the definition shall load on, where that matters. */
  readonly oldest?: Minor;
  /** True if a server refuses the `before` example. */
  readonly refused?: boolean;
}

/** A kind of advice: one declaration each, from which the documentation is made, too. */
export interface AdviceKind {
  /** Stable, in kebab-case: it is switched off by this. */
  readonly id: string;
  /** The advice in a few words. */
  readonly title: string;
  /** When it is given, why it is good, and when it is not meant, for the documentation. */
  readonly doc: string;
  readonly example: AdviceExample;
  /** Set if the advice needs the prices of a rule's parts. Editors do not wait for these prices. */
  readonly needsParts?: true;
  /** Returns the advice on one rule. */
  readonly ofRule?: (rule: AdvisedRule) => readonly FoundAdvice[];
  /** Returns the advice on the rules of a version together. */
  readonly ofSchema?: (schema: AdvisedSchema) => readonly FoundAdvice[];
}

/** A piece of advice about a definition. */
export interface Advice {
  /** Id of its kind. */
  readonly id: string;
  /** Versions whose schemas have the rule at the same place. */
  readonly versions: readonly string[];
  /** The rule, as rule costs name it: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly text: string;
  /** Start of the advised part in the rule's text, from 1; columns are in code points. */
  readonly line: number;
  readonly column: number;
}
