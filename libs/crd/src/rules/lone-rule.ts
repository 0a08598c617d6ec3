import { Optional, wrapValue } from '#cel';
import type { Evaluation, EvaluationLimits } from '#cel';
import { Cancelled } from '#go';
import type { CancellationToken, JsonValue } from '#go';
import type { FieldError } from '#kube';
import { rulePathTexts } from '../definition/admission/rule-costs.ts';
import { behaviourOf } from '../minors/validation-behaviour.ts';
import { compileValidator } from '../object/openapi/compile-validator.ts';
import type { OpenApiValidator } from '../object/openapi/compile-validator.ts';
import type { ServedVersion } from '../object/served-version.ts';
import { applyDefaults } from '../object/write/default.ts';
import { validateListTypes } from '../object/write/list-types.ts';
import { Polls } from '../object/write/polls.ts';
import { nodeAtPath } from '../schema/schema-path.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { CompiledRule, CompiledRules } from './compiled-rules.ts';

/** A rule, its schema node, and its printed path. */
interface RuleAtNode {
  readonly node: CompiledRules;
  readonly rule: CompiledRule;
  readonly path: string;
}

/** One rule of a served version, to be evaluated by itself on values of its node. */
export class LoneRule {
  readonly version: ServedVersion;
  /** Position of the rule, in the notation of cost reports: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  /** The steps from the root of the version's schema to the rule's node. */
  readonly steps: SchemaPath;
  /** Schema of the node that has the rule. */
  readonly schema: SchemaProps;
  readonly rule: CompiledRule;
  readonly #node: CompiledRules;
  #validator: OpenApiValidator | undefined;

  constructor(version: ServedVersion, steps: SchemaPath, schema: SchemaProps, { node, rule, path }: RuleAtNode) {
    this.version = version;
    this.steps = steps;
    this.schema = schema;
    this.#node = node;
    this.rule = rule;
    this.path = path;
  }

  /**
   * Returns the errors that schema keywords and list types report for a value of the node. Returns `stopped` if the token is cancelled
   * during validation. No CEL rules are evaluated.
   */
  refusals(value: JsonValue, token?: CancellationToken): readonly FieldError[] | 'stopped' {
    this.#validator ??= compileValidator(this.schema, behaviourOf(this.version.minor));
    const polls = new Polls(token);
    try {
      return [...this.#validator.validate(value, { polls }), ...validateListTypes(value, this.#node.schema, polls)];
    } catch (error) {
      if (error instanceof Cancelled) return 'stopped';
      throw error;
    }
  }

  /** Applies the schema's defaults to a value of the node, in place. A server does the same before it evaluates rules. */
  applyDefaults(value: JsonValue): void {
    applyDefaults(value, this.#node.schema);
  }

  /**
   * Evaluates the rule as a server would. Returns undefined if a server would skip the rule: it is blank, does not compile, or needs an old
   * value that is missing.
   *
   * @param old the node's old value; undefined if there is none
   */
  evaluate(value: JsonValue, old: JsonValue | undefined, limits: EvaluationLimits): Evaluation | undefined {
    const { program, usesOldSelf, source } = this.rule;
    if (program === undefined) return undefined;
    const optional = source.optionalOldSelf === true;
    if (usesOldSelf && old === undefined && !optional) return undefined;
    const self = wrapValue(value, this.#node.valueSchema);
    const before = usesOldSelf && old !== undefined ? wrapValue(old, this.#node.valueSchema) : undefined;
    return program.evaluate({ self, oldSelf: optional && usesOldSelf ? new Optional(before) : before }, limits);
  }

  /**
   * Returns the same rule with newly generated code, which the JavaScript engine has not optimized yet. The code of a rule without
   * generated code stays the same.
   */
  rebuilt(): LoneRule {
    const { program } = this.rule;
    const rule = { ...this.rule, program: program?.rebuild?.() ?? program };
    return new LoneRule(this.version, this.steps, this.schema, { node: this.#node, rule, path: this.path });
  }
}

/**
 * Returns the rules of a served version for evaluating each rule by itself, in the order of the schema. Rules inside `allOf` are left out,
 * because definitions must not have such rules.
 */
export function loneRules(version: ServedVersion): readonly LoneRule[] {
  return version.rules === undefined ? [] : rulesBelow(version, version.rules, []);
}

function rulesBelow(version: ServedVersion, node: CompiledRules, steps: SchemaPath): readonly LoneRule[] {
  const schema = nodeAtPath(version.schema, steps);
  if (schema === undefined) return [];
  const below = (child: CompiledRules | undefined, step: SchemaPath[number]): readonly LoneRule[] =>
    child === undefined ? [] : rulesBelow(version, child, [...steps, step]);
  const paths = rulePathTexts(steps, node.rules.length);
  return [
    ...node.rules.map((rule, index) => new LoneRule(version, steps, schema, { node, rule, path: paths[index] ?? '' })),
    ...below(node.additionalProperties, { kind: 'additionalProperties' }),
    ...node.properties.flatMap(([name, child]) => below(child, { kind: 'property', name })),
    ...below(node.items, { kind: 'items' }),
  ];
}
