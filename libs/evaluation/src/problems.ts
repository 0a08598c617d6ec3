import type { ZodError } from 'zod';

/** What a schema complains of, an issue each: where, and what. `whole` is what the checked value itself is called. */
export function problemsOf({ issues }: ZodError, whole: string): string[] {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`);
}
