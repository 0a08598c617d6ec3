import type { JsonObject, JsonValue } from '#go';
import type { SentIdentity } from '../../verdict.ts';

/** Returns the name and namespace in `metadata`. A value that is empty or not a string is left out of the result. */
export function sentIdentity(metadata: JsonObject | undefined): SentIdentity {
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const [name, namespace] = [text(metadata?.['name']), text(metadata?.['namespace'])];
  return { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
}
