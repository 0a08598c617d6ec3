import type { JsonObject, JsonValue } from '#go';
import type { SentIdentity } from '../../verdict.ts';

/** What metadata, as it was sent or stored, calls its object: empty names, and what is no text, call it nothing. */
export function sentIdentity(metadata: JsonObject | undefined): SentIdentity {
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const [name, namespace] = [text(metadata?.['name']), text(metadata?.['namespace'])];
  return { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
}
