import { CutFailure, JSON_MARKS, JsonScan } from './json-scan.ts';
import { unescapedText } from './plain-text.ts';

const QUOTE = 0x22;

/** Type that an object's JSON text declares. */
export interface LeadingType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the type of a JSON object if its first two members are `apiVersion` and `kind`, in either order. Their texts must have at most 64
 * printable ASCII characters without escapes. Most objects begin in this way. Returns undefined for any other object. The text after these
 * members is not read; it may repeat them or be invalid JSON.
 */
export function leadingType(bytes: Uint8Array): LeadingType | undefined {
  try {
    const scan = new JsonScan(bytes);
    scan.skipSpace(Infinity);
    scan.expect(JSON_MARKS.openObject);
    const first = typeMember(scan, bytes);
    if (first === undefined) return undefined;
    scan.skipSpace(Infinity);
    scan.expect(JSON_MARKS.nextMember);
    const second = typeMember(scan, bytes);
    if (second === undefined || second.key === first.key) return undefined;
    return first.key === 'apiVersion' ? { apiVersion: first.text, kind: second.text } : { apiVersion: second.text, kind: first.text };
  } catch (failure) {
    if (failure instanceof CutFailure) return undefined;
    throw failure;
  }
}

/**
 * Returns the member at the current position if it is `apiVersion` or `kind` with a short text of ASCII characters without escapes ({@link
 * plainText}). Otherwise returns undefined.
 */
function typeMember(scan: JsonScan, bytes: Uint8Array): { readonly key: 'apiVersion' | 'kind'; readonly text: string } | undefined {
  scan.skipSpace(Infinity);
  const start = scan.at;
  scan.expectKey();
  scan.skipValue(Infinity);
  const key = scan.keyFrom(start);
  if (key !== 'apiVersion' && key !== 'kind') return undefined;
  scan.skipSpace(Infinity);
  scan.expect(JSON_MARKS.colon);
  scan.skipSpace(Infinity);
  const at = scan.at;
  if (bytes[at] !== QUOTE) return undefined;
  scan.skipValue(Infinity);
  const text = unescapedText(bytes, at + 1, scan.at - 1);
  return text === undefined ? undefined : { key, text };
}
