import { CutFailure, JSON_MARKS, JsonScan } from './json-scan.ts';
import { plainText } from './plain-text.ts';

const QUOTE = 0x22;

/** The type that an object names. */
export interface LeadingType {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the type of a JSON object whose first two members are its type, in either order, as short plain texts. Most objects begin so. Undefined for
 * any other object. The rest is not read: it may name the type again, or be no JSON.
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

/** Returns the member at this place if it belongs to the type. */
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
  const text = plainText(bytes, at + 1, scan.at - 1);
  return text === undefined ? undefined : { key, text };
}
