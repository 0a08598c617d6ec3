import { z } from 'zod';
import { badRequestStatus } from '#kube';
import { problemsOf } from '#documents';
import { StatusFailure } from './status.filter.ts';

/** Schema of a query parameter that is a whole number of 0 or more. */
export const natural = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a number from 0 on')
  .transform(Number);

const MAX_LISTED = 100;
/**
 * Schema of the query parameters of a request for a list. `limit` is the maximum number of entries, at most and by default `MAX_LISTED`.
 */
export const listQuery = z.strictObject({ limit: natural.pipe(z.number().max(MAX_LISTED)).default(MAX_LISTED) });

/** Reads the query parameters of a request. Throws the 400 failure if a parameter is unknown or malformed. */
export function readQueryOf<Schema extends z.ZodType>(schema: Schema, query: unknown): z.infer<Schema> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  throw new StatusFailure(badRequestStatus(problemsOf(result.error, 'query').join('; ')));
}
