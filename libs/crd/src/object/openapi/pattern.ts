import { compileRegex } from '#go';
import { invalid } from '#kube';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Returns the check of `pattern`, an RE2 pattern that must match somewhere in the string. The check returns false if the pattern is
 * violated.
 */
export function patternCheck(pattern: string): (value: string, walk: SchemaWalk) => boolean {
  const compiled = compileRegex(pattern);
  const shown = compiled.ok ? pattern : `${pattern}, but pattern is invalid: ${compiled.error}`;
  return (value, walk) => {
    if (compiled.ok && compiled.regex.test(value)) return true;
    const name = walk.name;
    const text = `${name} in body should match '${shown}'`;
    walk.add({ text, name, toError: (field) => invalid(field, value, text) });
    return false;
  };
}
