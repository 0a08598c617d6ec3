import type { ZodError } from 'zod';

/**
 * Returns one text for each issue that a schema check found, with the path of the issue. If the issue concerns the whole checked value,
 * `whole` replaces the path.
 */
export function problemsOf({ issues }: ZodError, whole: string): string[] {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`);
}
