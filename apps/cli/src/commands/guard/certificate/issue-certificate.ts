import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

// Distinguished Encoding Rules (X.690), as far as a certificate needs them. A library for X.509 would make the package a sixth larger.

const LONG_FORM = 0x80;

/** Returns the DER of an element: its tag, its length, and its contents one after another. */
function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < LONG_FORM) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.from([tag, LONG_FORM | length.length]), length, content]);
}

/** Returns the DER of a SEQUENCE. */
const sequence = (...contents: readonly Uint8Array[]): Buffer => element(0x30, ...contents);
/** Returns the DER of a SET of one element. */
const set = (content: Uint8Array): Buffer => element(0x31, content);
/** Returns the DER of an OCTET STRING. */
const octets = (content: Uint8Array): Buffer => element(0x04, content);
/** Returns the DER of a UTF8String. */
const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text));
/** DER of BOOLEAN TRUE. FALSE is not needed, because DER omits a value that equals its default. */
const TRUE = element(0x01, Buffer.from([0xff]));
/** Returns the DER of an element with an explicit context tag, such as `[0]` or `[3]`. `place` is the tag number. */
const explicit = (place: number, content: Uint8Array): Buffer => element(0xa0 | place, content);
/** Returns the DER of bytes with an implicit context tag, which replaces the tag of their type. `place` is the tag number. */
const implicit = (place: number, content: Uint8Array): Buffer => element(0x80 | place, content);

/** Returns the DER of a non-negative INTEGER. `bytes` is its magnitude, big-endian. */
export function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  // The first bit is the sign, so a zero byte precedes a number whose first bit is set.
  return element(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** Returns the DER of a BIT STRING. `unused` is the number of bits at the end of the last byte that are not part of the bit string. */
const bits = (content: Uint8Array, unused = 0): Buffer => element(0x03, Buffer.from([unused]), content);

/** Returns the DER of an OBJECT IDENTIFIER, given in dotted notation. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/** Returns the DER of a time: a UTCTime before 2050, a GeneralizedTime from then on, as RFC 5280 (4.1.2.5) requires. */
export function derTime(date: Date): Buffer {
  const text = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(text.slice(2))) : element(0x18, Buffer.from(text));
}

/** Certificate and its private key, both in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Server certificate with its private key, and the certificate of the authority that signed it. The authority signs no other certificate.
 */
export interface IssuedCertificate extends CertificatePair {
  /** Certificate of the authority, in PEM. */
  readonly authority: string;
}

/** Prefix of the names of the certificate authorities that `assay guard` creates. */
export const AUTHORITY_NAME = 'assay guard self-made';

/** Tolerated lag of the clocks of API servers, in ms. The validity of a certificate starts earlier by this time. */
const SKEW_MS = 5 * 60_000;
const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

interface Party {
  readonly name: Buffer;
  readonly privateKey: KeyObject;
  /** Public key as a DER SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
}

/**
 * Creates a certificate authority, and a server certificate that the authority signs. The server certificate is valid for `names`: DNS
 * names and IP addresses (at least one). Both use P-256. The private key of the authority is discarded, so nobody can sign with it again.
 * Sources: RFC 5280, RFC 5758.
 */
export function issueCertificate(names: readonly string[], lifetimeMs: number, now = Date.now()): IssuedCertificate {
  const authority = party(`${AUTHORITY_NAME} ${randomBytes(4).toString('hex')}`);
  const server = party('assay guard');
  const validity = sequence(derTime(new Date(now - SKEW_MS)), derTime(new Date(now + lifetimeMs)));
  const [authorityKey, serverKey] = [keyIdentifier(authority), keyIdentifier(server)];
  const authorityCertificate = certificate(authority, authority, validity, [
    critical('2.5.29.19', sequence(TRUE)), // basicConstraints: an authority
    critical('2.5.29.15', bits(Buffer.from([0b0000_0110]), 1)), // keyUsage: keyCertSign, cRLSign
    extension('2.5.29.14', octets(authorityKey)), // subjectKeyIdentifier
  ]);
  const serverCertificate = certificate(server, authority, validity, [
    critical('2.5.29.15', bits(Buffer.from([0b1000_0000]), 7)), // keyUsage: digitalSignature
    extension('2.5.29.37', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))), // extKeyUsage: serverAuth
    extension('2.5.29.17', sequence(...names.map(alternativeName))), // subjectAltName
    extension('2.5.29.14', octets(serverKey)),
    extension('2.5.29.35', sequence(implicit(0, authorityKey))), // authorityKeyIdentifier
  ]);
  return {
    authority: pem(authorityCertificate),
    cert: pem(serverCertificate),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

function party(commonName: string): Party {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    name: sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8(commonName)))),
    privateKey,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

function certificate(subject: Party, issuer: Party, validity: Buffer, extensions: readonly Buffer[]): Buffer {
  const version3 = explicit(0, derInteger(Buffer.from([2])));
  const signed = sequence(
    version3,
    derInteger(randomBytes(16)),
    ECDSA_WITH_SHA256,
    issuer.name,
    validity,
    subject.name,
    subject.publicKey,
    explicit(3, sequence(...extensions)),
  );
  return sequence(signed, ECDSA_WITH_SHA256, bits(sign('sha256', signed, issuer.privateKey)));
}

const extension = (type: string, value: Buffer): Buffer => sequence(objectIdentifier(type), octets(value));
const critical = (type: string, value: Buffer): Buffer => sequence(objectIdentifier(type), TRUE, octets(value));

/** Returns the key identifier of a party. RFC 5280 permits any value that is the same for the same key. */
const keyIdentifier = ({ publicKey }: Party): Buffer => createHash('sha256').update(publicKey).digest().subarray(0, 20);

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? implicit(2, Buffer.from(name)) : implicit(7, addressBytes(name));
}

/** Returns the bytes of an IP address: 4 for IPv4, 16 for IPv6. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // `URL` normalizes an IPv6 address: groups are hexadecimal, and `::` replaces the longest run of zeros.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
