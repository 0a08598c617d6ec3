import { childPath, indexPath, keyPath } from '#kube';
import type { FieldPath } from '#kube';
import { mapIsCorrelatable } from '../../../rules/rule-cursor.ts';
import type { SchemaProps } from '../../../schema/schema-props.ts';
import { holdsRules } from '../../../schema/schema-props.ts';
import { META_FIELDS } from '../../../structural/structural.ts';
import type { RuleContext } from '../rule-context.ts';
import type { DefinitionWording } from '../wording.ts';

/**
 * Number of combinations of the inherited restrictions that determine whether a schema has errors: whether defaults are forbidden, and
 * whether the node is inside metadata. All other restrictions affect only error messages or the types of rules.
 */
const SURROUNDINGS = 4;

/**
 * Cache of schemas that were found to have no errors. It is kept separately for each combination of the restrictions that a schema inherits
 * from its ancestors. Under one combination, the errors of a schema depend only on the schema itself. Therefore one check is valid for all
 * paths at which the schema occurs, and for all Kubernetes minor versions.
 */
class SoundSchemas {
  readonly #known: readonly WeakSet<SchemaProps>[] = Array.from({ length: SURROUNDINGS }, () => new WeakSet());

  has(schema: SchemaProps, around: Surroundings): boolean {
    return this.#at(around).has(schema);
  }

  add(schema: SchemaProps, around: Surroundings): void {
    this.#at(around).add(schema);
  }

  #at({ forbidDefault, insideMetadata }: Surroundings): WeakSet<SchemaProps> {
    return this.#known[(forbidDefault === undefined ? 0 : 2) + (insideMetadata ? 1 : 0)] as WeakSet<SchemaProps>;
  }
}

/** Schemas without errors under one set of requirements: complete trees without rules, and single nodes. */
interface Sound {
  readonly trees: SoundSchemas;
  readonly nodes: SoundSchemas;
}

const known = new Map<string, Sound>();

/**
 * Returns two caches of schemas that have no errors under the given requirements: one for complete schema trees, and one for single nodes.
 * The wording of errors and the cost limits do not select the cache, because they do not affect whether a schema has errors.
 */
export function soundUnder({ requireKnownTypes, requireAtomicSets, requireMapListKeys }: NodeDemands): Sound {
  const key = `${requireKnownTypes} ${requireAtomicSets} ${requireMapListKeys}`;
  let sound = known.get(key);
  if (sound === undefined) known.set(key, (sound = { trees: new SoundSchemas(), nodes: new SoundSchemas() }));
  return sound;
}

/** Restrictions that a node inherits from its ancestors. */
export interface Surroundings {
  /** Reason why defaults are forbidden; undefined if they are allowed. */
  readonly forbidDefault: string | undefined;
  readonly insideMetadata: boolean;
  /** Outermost schema path below which values cannot be correlated with old values; undefined if the node is not below such a path. */
  readonly uncorrelatable: FieldPath | undefined;
}

/** Node of a schema during validation, with its path, inherited restrictions and the context of its rules. */
export class SchemaNode {
  readonly schema: SchemaProps;
  readonly path: FieldPath;
  readonly around: Surroundings;
  /** Context that compiles rules. It is undefined if rules are not compiled, or if neither the node nor any node below it has a rule. */
  readonly context: RuleContext | undefined;
  readonly isRoot: boolean;

  private constructor(
    schema: SchemaProps,
    path: FieldPath,
    around: Surroundings,
    context: RuleContext | undefined,
    place: 'root' | 'child',
  ) {
    this.schema = schema;
    this.path = path;
    this.around = around;
    this.context = context;
    this.isRoot = place === 'root';
  }

  /** Creates the root node of a version's schema. `context` is undefined if rules are not compiled. */
  static root(schema: SchemaProps, path: FieldPath, context: RuleContext | undefined): SchemaNode {
    const around = { forbidDefault: undefined, insideMetadata: false, uncorrelatable: undefined };
    return new SchemaNode(schema, path, around, context, 'root');
  }

  /** Returns the node's path extended by the given field names. */
  at(...names: string[]): FieldPath {
    return childPath(this.path, ...names);
  }

  /**
   * Returns the child nodes in upstream's order. Properties, items and additionalProperties that `sound` contains are left out, because
   * they have no errors.
   */
  children(sound: SoundSchemas): SchemaNode[] {
    const { schema, around, context } = this;
    const found: SchemaNode[] = [];
    const additional = schema.additionalProperties?.schema;
    if (additional !== undefined) {
      const forbidDefault = 'inside additionalProperties applying to object metadata';
      const inner = around.insideMetadata ? { ...around, forbidDefault } : around;
      if (!sound.has(additional, inner)) {
        const below = holdsRules(additional) ? context?.additionalProperties(additional) : undefined;
        found.push(this.#child(additional, this.at('additionalProperties'), inner, below));
      }
    }
    if (schema.properties !== undefined) this.#properties(schema.properties, sound, found);
    if (schema.not !== undefined) found.push(this.#child(schema.not, this.at('not'), around));
    this.#branches('allOf', schema.allOf, found);
    this.#branches('oneOf', schema.oneOf, found);
    this.#branches('anyOf', schema.anyOf, found);
    for (const [key, definition] of schema.definitions ?? [])
      found.push(this.#child(definition, keyPath(this.at('definitions'), key), around));
    this.#items(sound, found);
    for (const [key, { schema: dependency }] of schema.dependencies ?? [])
      if (dependency !== undefined) found.push(this.#child(dependency, keyPath(this.at('dependencies'), key), around));
    return found;
  }

  #properties(properties: ReadonlyMap<string, SchemaProps>, sound: SoundSchemas, found: SchemaNode[]): void {
    let at: FieldPath | undefined;
    for (const [key, property] of properties) {
      const inner = this.#aroundProperty(key);
      if (sound.has(property, inner)) continue;
      const below = holdsRules(property) ? this.context?.property(key, property) : undefined;
      found.push(this.#child(property, keyPath((at ??= this.at('properties')), key), inner, below));
    }
  }

  #branches(keyword: string, branches: readonly SchemaProps[], found: SchemaNode[]): void {
    for (let i = 0; i < branches.length; i++)
      found.push(this.#child(branches[i] as SchemaProps, indexPath(this.at(keyword), i), this.around));
  }

  #items(sound: SoundSchemas, found: SchemaNode[]): void {
    const { items, listType } = this.schema;
    if (items === undefined) return;
    const { around, context } = this;
    const inner = listType === 'map' ? around : { ...around, uncorrelatable: around.uncorrelatable ?? this.path };
    if (items.schema !== undefined && !sound.has(items.schema, inner)) {
      const below = holdsRules(items.schema) ? context?.items(items.schema) : undefined;
      found.push(this.#child(items.schema, this.at('items'), inner, below));
    }
    for (const [i, item] of items.schemas.entries())
      found.push(this.#child(item, indexPath(this.at('items'), i), inner, context?.items(item)));
  }

  #child(schema: SchemaProps, path: FieldPath, around: Surroundings, context?: RuleContext): SchemaNode {
    return new SchemaNode(schema, path, around, context, 'child');
  }

  #aroundProperty(key: string): Surroundings {
    const { schema, around, isRoot } = this;
    const uncorrelatable = mapIsCorrelatable(schema.mapType) ? around.uncorrelatable : (around.uncorrelatable ?? this.path);
    if (!(isRoot || schema.embeddedResource) || !META_FIELDS.has(key))
      return uncorrelatable === around.uncorrelatable ? around : { ...around, uncorrelatable };
    const forbidDefault = isRoot ? `in top-level ${key}` : around.forbidDefault;
    return { forbidDefault, insideMetadata: true, uncorrelatable };
  }
}

/** Requirements that apply to all nodes of a schema. */
export interface NodeDemands {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  /** True if an expression is accepted even if it exceeds the cost limit of a single expression. */
  readonly suppressCost: boolean;
  readonly wording: DefinitionWording;
}
