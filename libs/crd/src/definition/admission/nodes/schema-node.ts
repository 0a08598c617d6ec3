import { childPath, indexPath, keyPath } from '#kube';
import type { FieldPath } from '#kube';
import { mapIsCorrelatable } from '../../../rules/correlatable-map.ts';
import type { SchemaProps } from '../../../schema/schema-props.ts';
import { META_FIELDS } from '../../../structural/resource-root.ts';
import type { RuleContext } from '../rule-context.ts';
import type { SoundSchemas } from './sound-schemas.ts';

/** What the way to a node forbids there. */
export interface Surroundings {
  /** Why defaults are forbidden, if they are. */
  readonly forbidDefault: string | undefined;
  readonly insideMetadata: boolean;
  /** The outermost schema path below which old values cannot be told apart. */
  readonly uncorrelatable: FieldPath | undefined;
}

/** A node of a schema, where it stands, and the types of its rules. */
export class SchemaNode {
  readonly schema: SchemaProps;
  readonly path: FieldPath;
  readonly around: Surroundings;
  /** Undefined where rules are not compiled. */
  readonly context: RuleContext | undefined;
  readonly isRoot: boolean;

  private constructor(schema: SchemaProps, path: FieldPath, around: Surroundings, context: RuleContext | undefined, isRoot: boolean) {
    this.schema = schema;
    this.path = path;
    this.around = around;
    this.context = context;
    this.isRoot = isRoot;
  }

  /** The root of a version's schema; `context` is undefined when rules are not to be compiled. */
  static root(schema: SchemaProps, path: FieldPath, context: RuleContext | undefined): SchemaNode {
    const around = { forbidDefault: undefined, insideMetadata: false, uncorrelatable: undefined };
    return new SchemaNode(schema, path, around, context, true);
  }

  /** A path below this node. */
  at(...names: string[]): FieldPath {
    return childPath(this.path, ...names);
  }

  /** The nodes below this one, in upstream's order, but for those of which it is known that there is nothing to say. */
  *children(sound: SoundSchemas): Generator<SchemaNode> {
    const { schema, around, context } = this;
    const additional = schema.additionalProperties?.schema;
    if (additional !== undefined) {
      const forbidDefault = 'inside additionalProperties applying to object metadata';
      const inner = around.insideMetadata ? { ...around, forbidDefault } : around;
      if (!sound.has(additional, inner))
        yield this.#child(additional, this.at('additionalProperties'), inner, context?.additionalProperties(additional));
    }
    for (const [key, property] of schema.properties ?? []) {
      const inner = this.#aroundProperty(key);
      if (!sound.has(property, inner))
        yield this.#child(property, keyPath(this.at('properties'), key), inner, context?.property(key, property));
    }
    if (schema.not !== undefined) yield this.#child(schema.not, this.at('not'), around);
    yield* this.#branches('allOf', schema.allOf);
    yield* this.#branches('oneOf', schema.oneOf);
    yield* this.#branches('anyOf', schema.anyOf);
    for (const [key, definition] of schema.definitions ?? []) yield this.#child(definition, keyPath(this.at('definitions'), key), around);
    yield* this.#items(sound);
    for (const [key, { schema: dependency }] of schema.dependencies ?? [])
      if (dependency !== undefined) yield this.#child(dependency, keyPath(this.at('dependencies'), key), around);
  }

  *#branches(keyword: string, branches: readonly SchemaProps[]): Generator<SchemaNode> {
    for (const [i, branch] of branches.entries()) yield this.#child(branch, indexPath(this.at(keyword), i), this.around);
  }

  *#items(sound: SoundSchemas): Generator<SchemaNode> {
    const { items, listType } = this.schema;
    if (items === undefined) return;
    const { around, context } = this;
    const inner = listType === 'map' ? around : { ...around, uncorrelatable: around.uncorrelatable ?? this.path };
    if (items.schema !== undefined && !sound.has(items.schema, inner))
      yield this.#child(items.schema, this.at('items'), inner, context?.items(items.schema));
    for (const [i, item] of items.schemas.entries()) yield this.#child(item, indexPath(this.at('items'), i), inner, context?.items(item));
  }

  #child(schema: SchemaProps, path: FieldPath, around: Surroundings, context?: RuleContext): SchemaNode {
    return new SchemaNode(schema, path, around, context, false);
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
