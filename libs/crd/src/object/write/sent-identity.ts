import type { JsonObject, JsonValue } from '#go';
import type { SentIdentity } from '../../verdict.ts';

/** Returns the name and namespace in metadata. It leaves out values that are empty or no text. */
export function sentIdentity(metadata: JsonObject | undefined): SentIdentity {
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const [name, namespace] = [text(metadata?.['name']), text(metadata?.['namespace'])];
  return { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
}
