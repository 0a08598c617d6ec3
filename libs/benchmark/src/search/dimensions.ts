import { nodeAtPath } from '#crd';
import type { LoneRule } from '#crd';
import type { SchemaTexts } from '../texts/schema-texts.ts';
import { nodePathText } from '../values/choice.ts';
import type { FieldChoice, ValuePlan } from '../values/choice.ts';
import type { EffectiveSchemas } from '../values/effective-schema.ts';
import type { NamedField } from './named-fields.ts';

/** Size of a field that the search can raise, such as the number of items of a list. */
export interface Dimension {
  readonly field: string;
  readonly unit: 'items' | 'properties' | 'code points' | 'code points of keys';
  /** Lower and upper bound that the schema sets for the size, in `unit`. */
  readonly least: number;
  readonly most: number;
}

/**
 * Returns each size of a field that can be increased to raise the cost of a rule, with its bounds. A map has two such sizes, the number of
 * entries and the length of the keys. Returns an empty list if the field has none.
 */
export function dimensionsOf({ field, kind, schema }: NamedField, texts: SchemaTexts): readonly Dimension[] {
  switch (kind) {
    case 'array':
      return [{ field, unit: 'items', ...bounds(schema.minItems, schema.maxItems) }];
    case 'map':
      return [
        { field, unit: 'properties', ...bounds(schema.minProperties, schema.maxProperties) },
        { field, unit: 'code points of keys', least: 1, most: Infinity },
      ];
    case 'string':
    case 'intOrString': {
      if (schema.enum !== undefined) return [];
      const source = schema.pattern === '' ? texts.ofFormat(schema.format) : texts.ofPattern(schema.pattern);
      const { least, most } = bounds(schema.minLength, schema.maxLength);
      const dimension = {
        field,
        unit: 'code points',
        least: Math.max(least, source?.least ?? 0),
        most: Math.min(most, source?.most ?? Infinity),
      } as const;
      return dimension.most > dimension.least ? [dimension] : [];
    }
    case 'any':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'object':
      return [];
  }
}

/** Returns the bounds that the keywords of a schema set. The default bounds are 0 and infinity. */
const bounds = (least: number | bigint | undefined, most: number | bigint | undefined) => ({
  least: Number(least ?? 0),
  most: Number(most ?? Infinity),
});

/**
 * Returns a copy of a plan in which the field of a dimension has the given size. A dimension is a size that the search can raise, such as
 * the length of a list. The size may exceed the schema's bound.
 */
export function withSize(plan: ValuePlan, { field, unit, most }: Dimension, size: number): ValuePlan {
  const isLifted: FieldChoice = size > most ? { isLifted: true } : {};
  return plan.with(field, { present: true, ...(unit === 'code points of keys' ? { keyLength: size } : { size }), ...isLifted });
}

/**
 * Returns a copy of `plan` in which the fields of all dimensions have the given size. A dimension is a size that the search can raise, such
 * as the length of a list.
 */
export const withSizes = (plan: ValuePlan, dimensions: readonly Dimension[], size: number): ValuePlan =>
  dimensions.reduce((sizedPlan, dimension) => withSize(sizedPlan, dimension, size), plan);

/** Returns the dimensions whose sizes are not among those of `others`. */
export const withoutDimensions = (dimensions: readonly Dimension[], others: readonly Dimension[]): readonly Dimension[] =>
  dimensions.filter(({ field, unit }) => !others.some((other) => other.field === field && other.unit === unit));

/** Returns a copy of `plan` in which the fields of all dimensions have their smallest size, which is at least 1. */
export const leastSized = (plan: ValuePlan, dimensions: readonly Dimension[]): ValuePlan =>
  dimensions.reduce((small, dimension) => withSize(small, dimension, Math.max(1, dimension.least)), plan);

/**
 * Returns the range of sizes that all given fields can have at the same time. `least` is the largest of their lower bounds, and `most` is
 * the smallest of their upper bounds.
 */
export const commonBounds = (dimensions: readonly Dimension[]): Pick<Dimension, 'least' | 'most'> => ({
  least: Math.max(...dimensions.map(({ least }) => least)),
  most: Math.min(...dimensions.map(({ most }) => most)),
});

/**
 * Returns the size that a field has in a plan. Test values are generated from the plan. Returns the smallest allowed size if the plan does
 * not set the size of this field.
 */
export function sizeIn(plan: ValuePlan, { field, unit, least }: Dimension): number {
  const choice = plan.at(field);
  return (unit === 'code points of keys' ? choice?.keyLength : choice?.size) ?? least;
}

/**
 * Returns the sizes of the lists and maps above a rule's node, the innermost first. They matter because the rule is evaluated for each
 * element of these lists and maps.
 */
export function dimensionsAbove({ steps, version }: LoneRule, schemas: EffectiveSchemas): readonly Dimension[] {
  const found: Dimension[] = [];
  for (const [i, step] of steps.entries()) {
    const raw = step.kind === 'property' ? undefined : nodeAtPath(version.schema, steps.slice(0, i));
    if (raw === undefined) continue;
    const schema = schemas.of(raw);
    found.unshift({
      field: nodePathText(steps.slice(0, i)),
      ...(step.kind === 'items'
        ? { unit: 'items', ...bounds(schema.minItems, schema.maxItems) }
        : { unit: 'properties', ...bounds(schema.minProperties, schema.maxProperties) }),
    });
  }
  return found;
}
