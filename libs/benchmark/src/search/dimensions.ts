import type { Choice, ValuePlan } from '../values/choice.ts';
import type { NamedField } from './named-fields.ts';
import type { SchemaTexts } from '../texts/schema-texts.ts';

/** A size of a field that can grow. */
export interface Dimension {
  readonly field: string;
  readonly unit: 'items' | 'properties' | 'code points' | 'code points of keys';
  /** Bounds of the schema, in that unit. */
  readonly least: number;
  readonly most: number;
}

/** Returns the sizes that a field has. */
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

/** Returns the bounds that a schema's keywords set. */
export const bounds = (least: number | bigint | undefined, most: number | bigint | undefined) => ({
  least: Number(least ?? 0),
  most: Number(most ?? Infinity),
});

/** Returns a plan in which a field has a size along a dimension. Beyond the schema's bound the bound is lifted. */
export function sized(plan: ValuePlan, { field, unit, most }: Dimension, size: number): ValuePlan {
  const isLifted: Choice = size > most ? { isLifted: true } : {};
  return plan.with(field, { present: true, ...(unit === 'code points of keys' ? { keyLength: size } : { size }), ...isLifted });
}

/** Returns a plan in which fields have one size, each along its dimension. */
export const allSized = (plan: ValuePlan, dimensions: readonly Dimension[], size: number): ValuePlan =>
  dimensions.reduce((sizedPlan, dimension) => sized(sizedPlan, dimension, size), plan);

/** Returns the bounds that one size of several fields must keep. */
export const commonBounds = (dimensions: readonly Dimension[]): Pick<Dimension, 'least' | 'most'> => ({
  least: Math.max(...dimensions.map(({ least }) => least)),
  most: Math.min(...dimensions.map(({ most }) => most)),
});

/** Returns the size of a field along a dimension, as a plan has it. */
export function sizeIn(plan: ValuePlan, { field, unit, least }: Dimension): number {
  const choice = plan.at(field);
  return (unit === 'code points of keys' ? choice?.keyLength : choice?.size) ?? least;
}
