import { compileExpression, declareType, environmentFor, escapeFieldName, priceParts, withTypeAndObjectMeta, expressionsHave } from '#cel';
import type { DeclaredType, EngineChoice, Environment, SchemaRole } from '#cel';
import { goTrim, memoizeWeak } from '#go';
import { pathText } from '#kube';
import type { Minor } from '#kube';
import type { ValidationRule } from '../schema/schema-props.ts';
import type { NestedValidation, Structural } from '../structural/structural.ts';
import type { CompiledRule, CompiledRules } from './compiled-rules.ts';
import { resolveFieldPath } from './resolve-field-path.ts';

/** Schema node that can have rules: a structural schema, or a branch of `allOf` of that schema. */
type RuleSource = Structural | NestedValidation;

/**
 * Cache of the compiled rules of schema nodes. It avoids repeated compilation if several parts of one schema are compiled, for example a
 * default inside another default.
 */
export type SharedRules = WeakMap<Structural, readonly CompiledRule[]>;

/** Error text for rules on a node without a CEL type. Such rules cannot be compiled. */
const NO_TYPE = 'failed to convert to declType for CEL validation rules';

/** Returns true if a node or a node below it has a rule. Rules inside `allOf` do not count. */
const holdsRules: (schema: RuleSource) => boolean = memoizeWeak(({ props, items, additionalProperties, properties }) => {
  if (props.rules.length > 0 || (items !== undefined && holdsRules(items))) return true;
  if (additionalProperties !== undefined && holdsRules(additionalProperties)) return true;
  return [...(properties?.values() ?? [])].some(holdsRules);
});

/**
 * Returns the rules of a stored schema for evaluation, or undefined if the schema has no rules. The rules of a node are compiled when the
 * first value at the node is evaluated. Source: apiextensions-apiserver pkg/apiserver/schema/cel/validation.go `NewValidator` (1.37).
 *
 * @param role `resource` if the schema describes a whole resource, so that its rules can read the metadata
 * @param engine engine that evaluates the rules; the engine `measured` also reports the cost of each part of a rule
 * @param shared rules that were compiled for another part of the same schema, with the same Kubernetes minor version and engine
 */
export function compileRules(
  schema: Structural,
  role: SchemaRole,
  minor: Minor,
  engine: EngineChoice | undefined,
  shared: SharedRules = new WeakMap(),
): CompiledRules | undefined {
  if (!holdsRules(schema)) return undefined;
  return new RuleCompiler(minor, engine, shared).node(schema, schema, role === 'resource', declareType(schema, role, minor));
}

/**
 * Schema node that compiles its rules when they are first used. Most objects have only few of a schema's fields, so many rules are never
 * compiled.
 */
class RuleNode implements CompiledRules {
  readonly error: CompiledRules['error'];
  readonly schema: CompiledRules['schema'];
  readonly valueSchema: CompiledRules['valueSchema'];
  readonly items: CompiledRules['items'];
  readonly properties: CompiledRules['properties'];
  readonly additionalProperties: CompiledRules['additionalProperties'];
  readonly allOf: CompiledRules['allOf'];
  readonly #compile: () => readonly CompiledRule[];
  #rules: readonly CompiledRule[] | undefined;
  #usesOldSelf: boolean | undefined;

  constructor(compile: () => readonly CompiledRule[], node: Omit<CompiledRules, 'rules' | 'usesOldSelf'>) {
    this.#compile = compile;
    this.error = node.error;
    this.schema = node.schema;
    this.valueSchema = node.valueSchema;
    this.items = node.items;
    this.properties = node.properties;
    this.additionalProperties = node.additionalProperties;
    this.allOf = node.allOf;
  }

  get rules(): readonly CompiledRule[] {
    return (this.#rules ??= this.#compile());
  }

  get usesOldSelf(): boolean {
    return (this.#usesOldSelf ??= this.rules.some((rule) => rule.usesOldSelf));
  }
}

class RuleCompiler {
  readonly #minor: Minor;
  readonly #engine: EngineChoice | undefined;
  readonly #environment: Environment;
  readonly #shared: SharedRules;
  /**
   * Cache of compiled nodes, first by declared type and then by schema. The declared type also determines whether the node is a resource.
   */
  readonly #places = new Map<DeclaredType, Map<Structural, CompiledRules | undefined>>();

  constructor(minor: Minor, engine: EngineChoice | undefined, shared: SharedRules) {
    this.#minor = minor;
    this.#engine = engine;
    this.#shared = shared;
    this.#environment = environmentFor(minor, 'stored');
  }

  /**
   * Returns the rules of a node. Nodes with the same schema and type share one compiled node, unless the engine is `measured`, which
   * measures each node separately. Undefined if there are none.
   */
  node(source: RuleSource, schema: Structural, resourceRoot: boolean, type: DeclaredType | undefined): CompiledRules | undefined {
    if (type === undefined || source !== schema || this.#engine === 'measured') return this.#made(source, schema, resourceRoot, type);
    const places = this.#places.get(type) ?? new Map<Structural, CompiledRules | undefined>();
    this.#places.set(type, places);
    if (places.has(schema)) return places.get(schema);
    const made = this.#made(source, schema, resourceRoot, type);
    places.set(schema, made);
    return made;
  }

  #made(source: RuleSource, schema: Structural, resourceRoot: boolean, type: DeclaredType | undefined): CompiledRules | undefined {
    const element = type?.kind === 'list' ? type.element : type?.kind === 'map' ? type.value : undefined;
    const holdsOwn = type !== undefined && source.props.rules.length > 0;
    const error = type === undefined && source.props.rules.length > 0 ? NO_TYPE : undefined;
    const items = source.items && schema.items && this.node(source.items, schema.items, schema.items.embeddedResource, element);
    const additional = schema.additionalProperties;
    const additionalProperties =
      source.additionalProperties && additional && this.node(source.additionalProperties, additional, additional.embeddedResource, element);
    const properties: [string, CompiledRules][] = [];
    for (const [name, property] of source.properties ?? []) {
      const compiled = this.#property(name, property, schema, type);
      if (compiled !== undefined) properties.push([name, compiled]);
    }
    const allOf = source.branches.allOf
      .map((branch) => this.node(branch, schema, resourceRoot, type))
      .filter((branch) => branch !== undefined);
    const empty = items === undefined && additionalProperties === undefined && properties.length === 0 && allOf.length === 0;
    if (empty && !holdsOwn && error === undefined) return undefined;
    const capped = expressionsHave(this.#minor, 'namesAreCapped');
    return new RuleNode(() => (type === undefined ? [] : this.#rules(source, schema, type)), {
      error,
      schema,
      valueSchema: resourceRoot ? (withTypeAndObjectMeta(schema, capped) as Structural) : schema,
      items,
      properties,
      additionalProperties,
      allOf,
    });
  }

  #rules(source: RuleSource, schema: Structural, type: DeclaredType): readonly CompiledRule[] {
    // A branch of allOf has its own rules at the same node, so the cache contains only the rules of the node itself.
    const isNode = source === schema;
    const known = isNode ? this.#shared.get(schema) : undefined;
    if (known !== undefined) return known;
    const rules = source.props.rules.map((rule) => this.#rule(rule, schema, type));
    if (isNode) this.#shared.set(schema, rules);
    return rules;
  }

  /**
   * Returns the compiled rules of a property. The CEL type of the property comes from the parent object's type if the name can be escaped.
   * Otherwise the type comes from the property's own schema. Undefined if there are none.
   */
  #property(name: string, source: RuleSource, parent: Structural, parentType: DeclaredType | undefined): CompiledRules | undefined {
    const schema = parent.properties?.get(name);
    if (schema === undefined) return undefined;
    const escaped = escapeFieldName(name);
    const type =
      escaped === undefined
        ? declareType(schema, schema.embeddedResource ? 'resource' : 'value', this.#minor)
        : parentType?.kind === 'object'
          ? parentType.fields.get(escaped)
          : undefined;
    return type && this.node(source, schema, schema.embeddedResource, type);
  }

  #rule(source: ValidationRule, schema: Structural, self: DeclaredType): CompiledRule {
    const unmeasured = { price: undefined, checked: undefined };
    const none = { source, program: undefined, error: undefined, usesOldSelf: false, message: undefined, fieldPath: '', ...unmeasured };
    if (goTrim(source.rule) === '') return none;
    const oldSelf = source.optionalOldSelf === true ? 'optional' : 'plain';
    const engine = this.#engine;
    const options = { self, oldSelf, environment: this.#environment } as const;
    const compiled = compileExpression(source.rule, { ...options, expect: 'bool', engine });
    if (!compiled.ok) return { ...none, error: compiled.error, usesOldSelf: compiled.usesOldSelf };
    // A study measures only rules, and not the parts of a messageExpression.
    const messageOptions = { ...options, expect: 'string', engine: engine === 'measured' ? 'interpreted' : engine } as const;
    const message = source.messageExpression === '' ? undefined : compileExpression(source.messageExpression, messageOptions);
    const path = source.fieldPath === '' ? undefined : resolveFieldPath(source.fieldPath, schema, 'dotsAndBrackets');
    return {
      source,
      program: compiled.program,
      error: undefined,
      usesOldSelf: compiled.usesOldSelf,
      message: message?.ok === true ? message.program : undefined,
      ...(engine === 'measured'
        ? { price: (readings) => priceParts(compiled.checked, options, readings), checked: compiled.checked }
        : unmeasured),
      // If the messageExpression does not compile, Kubernetes ignores the field path of the rule.
      fieldPath: message?.ok !== false && path?.ok === true && path.path !== undefined ? pathText(path.path) : '',
    };
  }
}
