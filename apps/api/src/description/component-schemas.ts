import { z } from 'zod';
import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Reference = Extract<Schemas[string], { $ref: string }>;

const PREFIX = '#/components/schemas/';
/** Bounds of safe integers in JavaScript. They are removed from the API description because they are not limits of the API. */
const SAFE_INTEGERS: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * Returns the OpenAPI 3.0 schemas of all zod schemas that have an id. The schemas are a flat list of components that refer to each other.
 */
export function componentSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    target: 'openapi-3.0',
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.$id;
      describeDefault(jsonSchema);
      for (const bound of ['minimum', 'maximum'] as const) if (SAFE_INTEGERS.includes(jsonSchema[bound])) delete jsonSchema[bound];
    },
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas as Schemas;
}

/**
 * Moves the default of a schema into its description. Generators of clients would read the keyword `default` as a sign that the field is
 * always present, also in requests.
 */
function describeDefault(schema: { default?: unknown; description?: string | undefined }): void {
  const { default: value, description } = schema;
  delete schema.default;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isPlain || value === '' || description?.includes('Default: ') === true) return;
  schema.description = [description, `Default: ${value}`].filter((part) => part !== undefined).join('. ');
}

/** Returns a reference to a schema by its id. Throws if the schema has no id. */
export function referenceTo(schema: z.ZodType): Reference {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('a schema of the description has no id');
  return { $ref: `${PREFIX}${id}` };
}
