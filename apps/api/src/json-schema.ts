import { z } from 'zod';
import type { ApiBodyOptions } from '@nestjs/swagger';

type OpenApiSchema = Extract<ApiBodyOptions, { schema: unknown }>['schema'];

/** A zod schema as OpenAPI shows it; for bodies, whose decorator does not take schemas of the Standard Schema kind. */
export function jsonSchema(schema: z.ZodType): OpenApiSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
  return rest as OpenApiSchema;
}
