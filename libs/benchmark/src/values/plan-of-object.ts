import type { SchemaProps, LoneRule, ServedVersion } from '#crd';
import { isJsonInt, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { ValuePlan, nodePathText } from './choice.ts';
import type { FieldChoice } from './choice.ts';

/** Maximum number of different texts of a field that a plan uses in turn. */
const MAX_TEXTS = 64;
/** Maximum number of values in an object that are read to create a plan. */
const MAX_VALUES = 20_000;

/**
 * Returns a plan, from which objects similar to `object` can be generated. The plan has the fields of `object`, the sizes of its lists and
 * maps, its texts and its numbers. If a list occurs at several places, for example in each element of another list, the longest list
 * counts. A generated object is not equal to the original. Each of its list elements has all fields that any element of the original has.
 */
export function planOfObject(object: JsonObject, schema: SchemaProps): ValuePlan {
  const reader = new PlanReader();
  for (const [name, value] of Object.entries(object)) {
    const below = schema.properties?.get(name);
    if (below !== undefined && name !== 'metadata' && value !== undefined) reader.read(value, below, `.${name}`);
  }
  const { metadata } = object as { readonly metadata?: JsonValue };
  const name = metadata !== undefined && isJsonObject(metadata) ? metadata['name'] : undefined;
  const plan = new ValuePlan(reader.choices());
  return typeof name === 'string' ? plan.with(NAME_FIELD, { filling: { kind: 'literal', value: name } }) : plan;
}

class PlanReader {
  readonly #sizes = new Map<string, FieldChoice>();
  readonly #scalars = new Map<string, Set<string | number | boolean>>();
  #values = 0;

  read(value: JsonValue, schema: SchemaProps, field: string): void {
    if (this.#values++ > MAX_VALUES || value === null) return;
    const items = schema.items?.schema;
    const values = schema.additionalProperties?.schema;
    if (Array.isArray(value)) {
      this.#grow(field, { present: true, size: value.length });
      if (items !== undefined) for (const element of value) this.read(element, items, `${field}[]`);
    } else if (!isJsonObject(value)) this.#takeScalar(field, value);
    else {
      const isMap = schema.properties === undefined && values !== undefined;
      const keys = Object.keys(value);
      this.#grow(field, isMap ? { present: true, size: keys.length, keys } : { present: true });
      for (const [name, inner] of Object.entries(value)) {
        const below = schema.properties?.get(name);
        if (below !== undefined) this.read(inner, below, `${field}.${name}`);
        else if (isMap) this.read(inner, values, `${field}{}`);
      }
    }
  }

  /** Yields the decisions about all fields of the object that was read. */
  *choices(): Generator<readonly [string, FieldChoice]> {
    yield* this.#sizes;
    for (const [field, scalars] of this.#scalars) {
      const [first, ...rest] = scalars;
      if (first === undefined) continue;
      const texts = [...scalars].filter((one) => typeof one === 'string');
      const isCycle = rest.length > 0 && texts.length === scalars.size;
      yield [field, { present: true, filling: isCycle ? { kind: 'cycle', values: texts } : { kind: 'literal', value: first } }];
    }
  }

  #grow(field: string, choice: FieldChoice): void {
    const known = this.#sizes.get(field);
    if (known === undefined || (choice.size ?? 0) > (known.size ?? 0)) this.#sizes.set(field, choice);
  }

  #takeScalar(field: string, value: JsonValue): void {
    const scalars = this.#scalars.get(field) ?? new Set();
    this.#scalars.set(field, scalars);
    if (scalars.size >= MAX_TEXTS) return;
    if (typeof value === 'string' || typeof value === 'boolean') scalars.add(value);
    else if (isJsonInt(value)) scalars.add(Number(value));
  }
}

/**
 * Converts a plan for the value of a rule's schema node to a plan for a whole object. The object has the fields that lead to the node, and
 * one element in each list and map on the way to the node.
 */
export function objectPlan({ steps }: LoneRule, plan: ValuePlan): ValuePlan {
  let whole = new ValuePlan();
  for (const [i, step] of steps.entries()) {
    const above = nodePathText(steps.slice(0, i));
    whole = step.kind === 'property' ? whole.with(`${above}.${step.name}`, { present: true }) : whole.with(above, { size: 1 });
  }
  return whole.under(plan);
}

/** Path of an object's name, in the notation of the field paths in a `ValuePlan` (plan of a generated object). */
export const NAME_FIELD = '.metadata.name';

/**
 * Sets apiVersion, kind and metadata of a generated object. The name is the name in the value plan, or `x` if the plan contains none.
 * Namespaced objects get the namespace `default`.
 */
export function addIdentity(object: JsonObject, { apiVersion, kind, namespaced }: ServedVersion, plan: ValuePlan): void {
  const filling = plan.at(NAME_FIELD)?.filling;
  const name = filling?.kind === 'literal' ? String(filling.value) : 'x';
  object['apiVersion'] = apiVersion;
  object['kind'] = kind;
  object['metadata'] = Object.assign(newJsonObject(), { name, ...(namespaced && { namespace: 'default' }) });
}
