import { compileExpression, declareType, escapeFieldName, estimateResized, estimateUnder, priceParts, sizedPaths } from '#cel';
import type {
  CheckedExpression,
  CompiledExpression,
  CompileOptions,
  DeclaredType,
  Environment,
  CostedPart,
  SizedPath,
  SwitchedEstimate,
} from '#cel';
import { goTrim } from '#go';
import type { Minor } from '#kube';
import type { DecodedSchemas } from '../../schema/recent-definitions.ts';
import type { SchemaStep } from '../../schema/schema-path.ts';
import type { SchemaProps, ValidationRule } from '../../schema/schema-props.ts';
import { toStructural } from '../../structural/from-schema.ts';
import type { CompiledExpressions } from '../../rules/compiled-expressions.ts';
import type { Structural } from '../../structural/structural.ts';
import { SCHEMA_WORK } from '../work-done.ts';
import type { ExpressionEnvironments } from './expression-environments.ts';

/** Types that the rules of a node are compiled against. */
interface TypeInfo {
  readonly structural: Structural;
  /** Declared type of the node; undefined below a node that CEL cannot access. */
  readonly type: DeclaredType | undefined;
}

/** Result of determining a node's type: the type, no type because neither the node nor an ancestor has a rule, or an error. */
type TypeInfoResult = { readonly info: TypeInfo } | { readonly none: true } | { readonly error: string };

/** Result of compiling one rule. Costs are for a single evaluation. */
export interface RuleCompilation {
  readonly rule: ValidationRule;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly maxCost: bigint;
  readonly messageError: string | undefined;
  /** Highest cost of the message expression; undefined if there is none or if it does not compile. */
  readonly messageMaxCost: bigint | undefined;
}

/**
 * Compiled rules of a schema node, or the internal error that prevents their compilation. If `typeInformation` is true, the server reports
 * this error with a prefix about type information.
 */
export type NodeCompilation =
  | { readonly ok: true; readonly rules: readonly RuleCompilation[]; readonly minSizeCardinality: bigint }
  | { readonly ok: false; readonly error: string; readonly typeInformation: boolean };

/** Size of the largest request in bytes. It limits how often a rule below an unbounded list or map can be evaluated. */
const MAX_REQUEST_BYTES = 3_145_728n;
const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

/** Returns the product of two uint64 numbers, limited to 2^64−1. */
export function multiplyCost(cost: bigint, cardinality: bigint): bigint {
  const product = cost * cardinality;
  return product > MAX_UINT64 ? MAX_UINT64 : product;
}

/** Returns the sum of two uint64 numbers, limited to 2^64−1. */
export function addCost(a: bigint, b: bigint): bigint {
  return a + b > MAX_UINT64 ? MAX_UINT64 : a + b;
}

/**
 * Explanation of an expression's cost estimate: the estimates of the expression's parts, and the size bounds that influence the estimate.
 */
export interface ExpressionExplanation {
  readonly parts: CostedPart;
  /** Paths of the values whose size bounds influence the estimate, as steps from the rule's node. */
  readonly sized: readonly SizedPath[];
  /**
   * Returns the cost estimate of the expression under changed size bounds. `resized` returns the changed schema of a value, or undefined if
   * the schema is unchanged. A changed schema may differ from the original only in bounds.
   */
  readonly estimate: (resized: (path: SizedPath) => SchemaProps | undefined) => bigint;
}

/** Expression of a rule. */
export type ExpressionPart = 'rule' | 'messageExpression';

/** Cached results of validating earlier states of a definition. */
export interface KnownNodes {
  /** Schemas that were decoded before. If it is undefined, the recent schemas of this thread are used. */
  readonly schemas?: DecodedSchemas;
  /** Expressions that earlier validations compiled. If it is undefined, each expression is compiled anew. */
  readonly expressions?: CompiledExpressions;
}

/**
 * Context in which the rules of one schema node are compiled. It contains the type of `self` and the maximum number of evaluations of a
 * rule at this node. Child contexts and compilations are created on demand and cached. Source: apiextensions-apiserver
 * pkg/apis/apiextensions/validation/cel_validation.go `CELSchemaContext` (1.37).
 */
export class RuleContext {
  /** Highest number of evaluations of a rule at this node; undefined if a list or map around the node is unbounded. */
  readonly cardinality: bigint | undefined;
  readonly #schema: SchemaProps | undefined;
  readonly #environments: ExpressionEnvironments;
  readonly #parent: RuleContext | undefined;
  readonly #step: SchemaStep | undefined;
  readonly #known: KnownNodes | undefined;
  /** Cache of compilations by schema and type. A compilation is valid for all paths at which the schema occurs. */
  readonly #compilations: Map<SchemaProps, { readonly type: DeclaredType; readonly compilation: NodeCompilation }>;
  /** True if this node or an ancestor has a rule, so that the type of the node is needed. */
  readonly #inScope: boolean;
  readonly #children = new Map<string, RuleContext>();
  #types: TypeInfoResult | undefined;
  #compilation: NodeCompilation | undefined;

  private constructor(
    schema: SchemaProps | undefined,
    environments: ExpressionEnvironments,
    parent: RuleContext | undefined,
    step: SchemaStep | undefined,
    known: KnownNodes | undefined,
  ) {
    this.#schema = schema;
    this.#environments = environments;
    this.#parent = parent;
    this.#step = step;
    this.#known = known;
    this.#compilations = parent === undefined ? new Map() : parent.#compilations;
    this.#inScope = (parent !== undefined && parent.#inScope) || (schema?.rules.length ?? 0) > 0;
    this.cardinality = parent === undefined ? 1n : parent.#childCardinality();
  }

  /**
   * Returns the context of a version's whole schema. `known` holds cached results, which are reused for nodes that earlier schemas also
   * contain.
   */
  static root(schema: SchemaProps, environments: ExpressionEnvironments, known?: KnownNodes): RuleContext {
    return new RuleContext(schema, environments, undefined, undefined, known);
  }

  /** Kubernetes minor version of the server that compiles the rules. */
  get minor(): Minor {
    return this.#environments.minor;
  }

  /** Schema of the node; undefined if the node has none. */
  get ownSchema(): SchemaProps | undefined {
    return this.#schema;
  }

  property(name: string, schema: SchemaProps): RuleContext {
    return this.#child(`.${name}`, schema, { kind: 'property', name });
  }

  items(schema: SchemaProps | undefined): RuleContext {
    return this.#child('[]', schema, { kind: 'items' });
  }

  additionalProperties(schema: SchemaProps | undefined): RuleContext {
    return this.#child('*', schema, { kind: 'additionalProperties' });
  }

  /** Returns the context of the child node that `step` leads to. `schema` is the schema of the child. */
  at(step: SchemaStep, schema: SchemaProps): RuleContext {
    switch (step.kind) {
      case 'property':
        return this.property(step.name, schema);
      case 'items':
        return this.items(schema);
      case 'additionalProperties':
        return this.additionalProperties(schema);
    }
  }

  #child(key: string, schema: SchemaProps | undefined, step: SchemaStep): RuleContext {
    const known = this.#children.get(key);
    if (known !== undefined && known.#schema === schema) return known;
    const made = new RuleContext(schema, this.#environments, this, step, this.#known);
    this.#children.set(key, made);
    return made;
  }

  #childCardinality(): bigint | undefined {
    if (this.#schema === undefined || this.cardinality === undefined) return undefined;
    const elements = maxElements(this.#schema);
    return elements === undefined ? undefined : multiplyCost(this.cardinality, elements);
  }

  #typeInfo(): TypeInfoResult {
    this.#types ??= this.#inScope ? this.#findType() : { none: true };
    return this.#types;
  }

  #findType(): TypeInfoResult {
    if (this.#parent !== undefined) {
      const above = this.#parent.#typeInfo();
      if ('error' in above) return above;
      const reached = 'info' in above ? this.#reach(above.info) : undefined;
      if (reached !== undefined) return { info: reached };
    }
    if (this.#schema === undefined) return { none: true };
    const converted = toStructural(this.#schema);
    if (!converted.ok) return converted;
    const isRoot = this.#parent === undefined || this.#schema.embeddedResource;
    const type = declareType(converted.structural, isRoot ? 'resource' : 'value', this.#environments.minor);
    if (type === undefined) return { error: 'unable to convert structural schema to CEL declarations' };
    return { info: { structural: converted.structural, type } };
  }

  /** Returns the type of this node, derived from the parent's type. Returns undefined if the parent's type does not contain this node. */
  #reach({ structural, type }: TypeInfo): TypeInfo | undefined {
    const step = this.#step;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- `step` is undefined at the root of the schema; `default` handles this case
    switch (step?.kind) {
      case 'property': {
        const property = structural.properties?.get(step.name);
        const escaped = escapeFieldName(step.name);
        const field = escaped === undefined || type?.kind !== 'object' ? undefined : type.fields.get(escaped);
        return property === undefined || field === undefined ? undefined : { structural: property, type: field };
      }
      case 'items':
        return structural.items && { structural: structural.items, type: type?.kind === 'list' ? type.element : undefined };
      case 'additionalProperties':
        return (
          structural.additionalProperties && {
            structural: structural.additionalProperties,
            type: type?.kind === 'map' ? type.value : undefined,
          }
        );
      default:
        return undefined;
    }
  }

  /** Returns the compiled rules of this node. They are compiled on the first call and then cached. */
  compile(): NodeCompilation {
    return (this.#compilation ??= this.#compileOnce());
  }

  /**
   * Compiles the rules of this node, or reuses the compilation of an equal node. Reuse is possible because a compilation does not depend on
   * the cardinality of the node.
   */
  #compileOnce(): NodeCompilation {
    const schema = this.#schema;
    const found = schema === undefined ? undefined : this.#typeInfo();
    const type = found !== undefined && 'info' in found ? found.info.type : undefined;
    if (schema === undefined || type === undefined) return this.#compileRules(schema?.rules ?? []);
    const known = this.#compilations.get(schema);
    if (known?.type === type) return known.compilation;
    SCHEMA_WORK.ruleNodes++;
    const compilation = this.#compileRules(schema.rules);
    this.#compilations.set(schema, { type, compilation });
    return compilation;
  }

  /** Compiles only one rule of this node. The result is not cached. */
  compileOne(index: number): NodeCompilation {
    return this.#compileRules(this.#schema?.rules.slice(index, index + 1) ?? []);
  }

  #compileRules(sources: readonly ValidationRule[]): NodeCompilation {
    const found = this.#typeInfo();
    if ('error' in found) return { ok: false, error: found.error, typeInformation: true };
    if ('none' in found) return { ok: false, error: 'no type information', typeInformation: true };
    const { type } = found.info;
    if (type === undefined) return { ok: false, error: 'failed to convert to declType for CEL validation rules', typeInformation: false };
    const rules = sources.map((rule) => this.#compileRule(rule, type));
    return { ok: true, rules, minSizeCardinality: MAX_REQUEST_BYTES / BigInt(type.minSerializedSize + 1) };
  }

  #compileRule(rule: ValidationRule, self: DeclaredType): RuleCompilation {
    const none = { rule, error: undefined, usesOldSelf: false, maxCost: 0n, messageError: undefined, messageMaxCost: undefined };
    if (goTrim(rule.rule) === '') return none;
    const oldSelf = oldSelfOf(rule);
    const compiled = this.#compiled(rule.rule, { self, oldSelf, environment: this.#environments.forRule(rule.rule), expect: 'bool' });
    if (!compiled.ok) return { ...none, error: compiled.error, usesOldSelf: compiled.usesOldSelf };
    const { maxCost, usesOldSelf } = compiled;
    if (rule.messageExpression === '') return { ...none, maxCost, usesOldSelf };
    const environment = this.#environments.forMessage(rule.messageExpression);
    const message = this.#compiled(rule.messageExpression, { self, oldSelf, environment, expect: 'string' });
    return message.ok
      ? { ...none, maxCost, usesOldSelf, messageMaxCost: message.maxCost }
      : { ...none, maxCost, usesOldSelf, messageError: message.error };
  }

  #compiled(text: string, options: CompileOptions): CompiledExpression {
    return this.#known?.expressions?.compile(text, options) ?? compileExpression(text, options);
  }

  /** Returns the type of `self` at this node, even if there is no rule; undefined if CEL cannot access the node. */
  selfType(): DeclaredType | undefined {
    const found = this.#inScope ? this.#typeInfo() : this.#findType();
    return 'info' in found ? found.info.type : undefined;
  }

  /** Returns the checked expression of a rule, or undefined if the rule does not compile. */
  checkedRule(rule: ValidationRule): CheckedExpression | undefined {
    const compiled = this.compiledPart(rule, 'rule');
    return compiled?.ok === true ? compiled.checked : undefined;
  }

  /** Returns the compilation of a part of a rule. Returns undefined if the part is empty, or if CEL cannot access the node. */
  compiledPart(rule: ValidationRule, part: ExpressionPart): CompiledExpression | undefined {
    const self = this.selfType();
    const text = rule[part];
    if (self === undefined || goTrim(text) === '') return undefined;
    const isRule = part === 'rule';
    const environment = isRule ? this.#environments.forRule(text) : this.#environments.forMessage(text);
    return this.#compiled(text, { self, oldSelf: oldSelfOf(rule), environment, expect: isRule ? 'bool' : 'string' });
  }

  /** Returns the composition of a rule's cost estimate, or undefined if the rule does not compile. */
  explainRule(rule: ValidationRule): ExpressionExplanation | undefined {
    return this.#explain(rule, rule.rule, this.#environments.forRule(rule.rule), 'bool');
  }

  /** Returns the composition of the cost estimate of a rule's messageExpression, or undefined if there is none or it does not compile. */
  explainMessage(rule: ValidationRule): ExpressionExplanation | undefined {
    return this.#explain(rule, rule.messageExpression, this.#environments.forMessage(rule.messageExpression), 'string');
  }

  #explain(rule: ValidationRule, text: string, environment: Environment, expect: 'bool' | 'string'): ExpressionExplanation | undefined {
    const found = this.#typeInfo();
    const self = 'info' in found ? found.info.type : undefined;
    if (self === undefined || goTrim(text) === '') return undefined;
    const compiled = this.#compiled(text, { self, oldSelf: oldSelfOf(rule), environment, expect });
    if (!compiled.ok) return undefined;
    const sizes = { self, environment };
    const { checked } = compiled;
    return {
      get parts() {
        return priceParts(checked, sizes);
      },
      sized: sizedPaths(checked, sizes),
      estimate: (resized) => estimateResized(checked, sizes, (path) => this.#declaredAs(resized(path))),
    };
  }

  /**
   * Returns the highest costs of one evaluation of a rule and of its messageExpression under the given cost formulas. A part that does not
   * exist or does not compile is undefined. Nothing is cached, so the formulas may be of no Kubernetes minor version.
   */
  estimatesUnder(rule: ValidationRule, costs: Environment['costs']): Readonly<Record<'rule' | 'message', SwitchedEstimate | undefined>> {
    const found = this.#typeInfo();
    const self = 'info' in found ? found.info.type : undefined;
    const estimate = (text: string, environment: Environment, expect: 'bool' | 'string'): SwitchedEstimate | undefined => {
      if (self === undefined || goTrim(text) === '') return undefined;
      const compiled = this.#compiled(text, { self, oldSelf: oldSelfOf(rule), environment, expect });
      return compiled.ok ? estimateUnder(compiled.checked, self, costs) : undefined;
    };
    return {
      rule: estimate(rule.rule, this.#environments.forRule(rule.rule), 'bool'),
      message: estimate(rule.messageExpression, this.#environments.forMessage(rule.messageExpression), 'string'),
    };
  }

  #declaredAs(schema: SchemaProps | undefined): DeclaredType | undefined {
    const converted = schema && toStructural(schema);
    return converted?.ok === true
      ? declareType(converted.structural, converted.structural.embeddedResource ? 'resource' : 'value', this.#environments.minor)
      : undefined;
  }
}

/** Returns the type of the variable `oldSelf` of a rule. */
export const oldSelfOf = (rule: ValidationRule): 'plain' | 'optional' => (rule.optionalOldSelf === true ? 'optional' : 'plain');

/**
 * Returns the highest number of children that a value of a node can have, or undefined if it is unbounded. An object with properties has at
 * most one child for each property.
 */
function maxElements(schema: SchemaProps): bigint | undefined {
  const bound = (limit: number | bigint | undefined): bigint | undefined =>
    limit === undefined ? undefined : BigInt(limit) < 0n ? 0n : BigInt(limit);
  if (schema.type === 'object' && schema.additionalProperties !== undefined) return bound(schema.maxProperties);
  if (schema.type === 'array') return bound(schema.maxItems);
  return 1n;
}
