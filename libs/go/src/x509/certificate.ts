import { derElement, derElements } from './der.ts';
import type { DerElement } from './der.ts';

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
