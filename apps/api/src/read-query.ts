import { z } from 'zod';
import { badRequestStatus } from '#kube';
import { problemsOf } from '#evaluation';
import { StatusFailure } from './status.filter.ts';

/** A number from 0 on, in a query. */
export const natural = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a number from 0 on')
  .transform(Number);

const MOST_LISTED = 100;
/** The query of a list. */
export const listQuery = z.strictObject({ limit: natural.pipe(z.number().max(MOST_LISTED)).default(MOST_LISTED) });

/** Reads the parameters of a request. Throws the 400 of an unknown or malformed one. */
export function readQueryOf<Schema extends z.ZodType>(schema: Schema, query: unknown): z.infer<Schema> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  throw new StatusFailure(badRequestStatus(problemsOf(result.error, 'query').join('; ')));
}
