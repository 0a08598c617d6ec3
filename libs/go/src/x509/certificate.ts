const TAG = { integer: 0x02, bitString: 0x03, sequence: 0x30, version: 0xa0 } as const;
/** Tags of the DER types UTCTime and GeneralizedTime. */
const TIMES: readonly number[] = [0x17, 0x18];
/** Tags of the fields after a certificate's version: serial number, algorithm, issuer, validity, subject, public key. */
const FIELDS = [TAG.integer, TAG.sequence, TAG.sequence, TAG.sequence, TAG.sequence, TAG.sequence] as const;
const VALIDITY = 3;
const PUBLIC_KEY = 5;

/**
 * Returns true if the bytes are exactly one well-formed X.509 certificate in DER. It does not check keys, names and extensions. Source: Go
 * crypto/x509/parser.go `parseCertificate` (1.26), as far as it says `malformed`.
 */
export function isCertificate(der: Uint8Array): boolean {
  const whole = derElement(der, 0, der.length);
  if (whole?.tag !== TAG.sequence || whole.end !== der.length) return false;
  const parts = derElements(der, whole.start, whole.end);
  if (parts === undefined || !hasTags(parts, [TAG.sequence, TAG.sequence, TAG.bitString])) return false;
  return isSignedPart(der, parts[0] as DerElement);
}

function isSignedPart(der: Uint8Array, { start, end }: DerElement): boolean {
  const all = derElements(der, start, end);
  if (all === undefined) return false;
  const fields = all[0]?.tag === TAG.version ? all.slice(1) : all;
  if (!FIELDS.every((tag, i) => fields[i]?.tag === tag)) return false;
  const [validity, key] = [fields[VALIDITY] as DerElement, fields[PUBLIC_KEY] as DerElement];
  const times = derElements(der, validity.start, validity.end);
  if (times?.length !== 2 || !times.every(({ tag }) => TIMES.includes(tag))) return false;
  const keyParts = derElements(der, key.start, key.end);
  return keyParts !== undefined && hasTags(keyParts, [TAG.sequence, TAG.bitString]);
}

function hasTags(elements: readonly DerElement[], tags: readonly number[]): boolean {
  return elements.length === tags.length && tags.every((tag, i) => elements[i]?.tag === tag);
}

/** Element of a DER encoding: its tag, and the offsets of its content. */
interface DerElement {
  readonly tag: number;
  /** Offset of the first byte of the content. `end` is the offset after the last byte of the content. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the element that begins at `at` and ends at or before `limit`. Returns undefined if there is no valid element. A length that is
 * indefinite or longer than necessary is invalid in DER.
 */
function derElement(bytes: Uint8Array, at: number, limit: number): DerElement | undefined {
  if (at + 2 > limit) return undefined;
  const tag = bytes[at] as number;
  const first = bytes[at + 1] as number;
  // Tags above 30 take several bytes, and no certificate has such a tag.
  if ((tag & 0x1f) === 0x1f) return undefined;
  if (first < 0x80) return within({ tag, start: at + 2, end: at + 2 + first }, limit);
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 2 + count > limit) return undefined;
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] as number);
  const isShortest = length >= 0x80 && bytes[at + 2] !== 0;
  return isShortest ? within({ tag, start: at + 2 + count, end: at + 2 + count + length }, limit) : undefined;
}

/** Returns all elements between two offsets. Returns undefined if the bytes are not a sequence of complete elements. */
function derElements(bytes: Uint8Array, start: number, end: number): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = start; at < end;) {
    const element = derElement(bytes, at, end);
    if (element === undefined) return undefined;
    elements.push(element);
    at = element.end;
  }
  return elements;
}

function within(element: DerElement, limit: number): DerElement | undefined {
  return element.end <= limit ? element : undefined;
}
