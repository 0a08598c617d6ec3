import type { ZodError } from 'zod';

/** Returns the complaints of a schema, one for each issue, with its place. `whole`: the name of the checked value itself. */
export function problemsOf({ issues }: ZodError, whole: string): string[] {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`);
}
