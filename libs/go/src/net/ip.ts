import { goQuote } from '../text/quote.ts';

/** IP address: 4 or 16 bytes, and the optional zone of an IPv6 address. */
export interface IpAddress {
  readonly bytes: readonly number[];
  readonly zone: string;
}

/** IP address with the number of leading bits that identify a network. The remaining bits of the address are kept. */
export interface IpPrefix {
  readonly address: IpAddress;
  readonly bits: number;
}

/** Result of parsing an IP address: the address, or the error text of Go's net/netip. */
export type IpResult = { readonly ok: true; readonly address: IpAddress } | { readonly ok: false; readonly error: string };
export type PrefixResult = { readonly ok: true; readonly prefix: IpPrefix } | { readonly ok: false; readonly error: string };

/** Parse error with the part of the text at which it occurred. */
class Stop {
  readonly message: string;
  readonly at: string;
  constructor(message: string, at = '') {
    this.message = message;
    this.at = at;
  }
}

/** Parses an IPv4 or IPv6 address. Source: Go net/netip `ParseAddr`. */
export function parseIp(text: string): IpResult {
  const first = text.charAt(text.search(/[.:%]/));
  const parsed =
    first === '.'
      ? readIPv4(text)
      : first === ':'
        ? readIPv6(text)
        : new Stop(first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
  if (!(parsed instanceof Stop)) return { ok: true, address: parsed };
  const at = parsed.at === '' ? '' : ` (at ${goQuote(parsed.at)})`;
  return { ok: false, error: `ParseAddr(${goQuote(text)}): ${parsed.message}${at}` };
}

const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;

function readIPv4Fields(text: string): number[] | Stop {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code < COLON) {
      if (digits === 1 && value === 0) return new Stop('IPv4 field has octet with leading zero');
      value = value * 10 + code - ZERO;
      digits++;
      if (value > 255) return new Stop('IPv4 field has value >255');
    } else if (code === DOT) {
      if (i === 0 || i === text.length - 1 || text.charCodeAt(i - 1) === DOT)
        return new Stop('IPv4 field must have at least one digit', text.slice(i));
      if (fields.length === 3) return new Stop('IPv4 address too long');
      fields.push(value);
      value = 0;
      digits = 0;
    } else return new Stop('unexpected character', text.slice(i));
  }
  if (fields.length < 3) return new Stop('IPv4 address too short');
  fields.push(value);
  return fields;
}

function readIPv4(text: string): IpAddress | Stop {
  const bytes = readIPv4Fields(text);
  return bytes instanceof Stop ? bytes : { bytes, zone: '' };
}

function readIPv6(text: string): IpAddress | Stop {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return new Stop('zone must be a non-empty string');
  const bytes = readIPv6Bytes(percent < 0 ? text : text.slice(0, percent));
  return bytes instanceof Stop ? bytes : { bytes, zone };
}

/** Returns the value of a hexadecimal digit. Returns -1 for any other character, and for NaN after the end of a text. */
function hexDigit(code: number): number {
  if (code >= ZERO && code < COLON) return code - ZERO;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function readIPv6Bytes(text: string): number[] | Stop {
  const bytes: number[] = [];
  const end = text.length;
  let ellipsis = -1;
  let at = 0;
  if (text.startsWith('::')) {
    ellipsis = 0;
    at = 2;
  }
  while (bytes.length < 16 && !(at === end && ellipsis === bytes.length)) {
    const group = at;
    let value = 0;
    for (let digit = hexDigit(text.charCodeAt(at)); digit >= 0; digit = hexDigit(text.charCodeAt(++at))) value = value * 16 + digit;
    if (at > group + 4) return new Stop('each group must have 4 or less digits', text.slice(group));
    if (at === group) return new Stop('each colon-separated field must have at least one digit', text.slice(group));
    if (text.charCodeAt(at) === DOT) {
      const fields = readEmbeddedIPv4(text.slice(group), bytes.length, ellipsis);
      if (fields instanceof Stop) return fields;
      bytes.push(...fields);
      at = end;
      break;
    }
    bytes.push(value >> 8, value & 0xff);
    if (at === end) break;
    if (text.charCodeAt(at) !== COLON) return new Stop('unexpected character, want colon', text.slice(at));
    if (at + 1 === end) return new Stop('colon must be followed by more characters', text.slice(at));
    at += 1;
    if (text.charCodeAt(at) !== COLON) continue;
    if (ellipsis >= 0) return new Stop('multiple :: in address', text.slice(at));
    ellipsis = bytes.length;
    at += 1;
  }
  if (at < end) return new Stop('trailing garbage after address', text.slice(at));
  if (bytes.length === 16) return ellipsis < 0 ? bytes : new Stop('the :: must expand to at least one field of zeros');
  if (ellipsis < 0) return new Stop('address string too short');
  bytes.splice(ellipsis, 0, ...new Array<number>(16 - bytes.length).fill(0));
  return bytes;
}

/**
 * Returns the four bytes of an IPv4 address at the end of an IPv6 address. `before` is the number of bytes that precede the IPv4 address.
 * `ellipsis` is negative if the IPv6 address has no `::`.
 */
function readEmbeddedIPv4(text: string, before: number, ellipsis: number): number[] | Stop {
  if (ellipsis < 0 && before !== 12) return new Stop('embedded IPv4 address must replace the final 2 fields of the address', text);
  if (before > 12) return new Stop('too many hex fields to fit an embedded IPv4 at the end of the address', text);
  return readIPv4Fields(text);
}

/** Parses `address/bits`. Source: Go net/netip `ParsePrefix`. */
export function parseIpPrefix(text: string): PrefixResult {
  const fail = (message: string): PrefixResult => ({ ok: false, error: `netip.ParsePrefix(${goQuote(text)}): ${message}` });
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  const parsed = parseIp(text.slice(0, slash));
  if (!parsed.ok) return fail(parsed.error);
  const { address } = parsed;
  if (address.zone !== '') return fail('IPv6 zones cannot be present in a prefix');
  const bitsText = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d*)$/.test(bitsText) || bitsText.length > 18) return fail(`bad bits after slash: ${goQuote(bitsText)}`);
  const bits = Number(bitsText);
  return bits > address.bytes.length * 8 ? fail('prefix length out of range') : { ok: true, prefix: { address, bits } };
}

/** Returns true if the address is an IPv4 address of four bytes. IPv4-mapped IPv6 addresses count as IPv6. */
export const isIPv4 = ({ bytes }: IpAddress): boolean => bytes.length === 4;

/** Returns true if the address is an IPv6 address of the form ::ffff:1.2.3.4. */
export function isMappedIPv4({ bytes }: IpAddress): boolean {
  return bytes.length === 16 && bytes[10] === 0xff && bytes[11] === 0xff && bytes.slice(0, 10).every((byte) => byte === 0);
}

/** Returns the canonical text of an IP address. Source: Go net/netip `Addr.String`. */
export function formatIp(address: IpAddress): string {
  const { bytes, zone } = address;
  if (bytes.length === 4) return bytes.join('.');
  const suffix = zone === '' ? '' : `%${zone}`;
  if (isMappedIPv4(address)) return `::ffff:${bytes.slice(12).join('.')}${suffix}`;
  const words = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number));
  let zeros = { start: 8, end: 8 };
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && words[end] === 0) end++;
    if (end - start >= 2 && end - start > zeros.end - zeros.start) zeros = { start, end };
  }
  const hex = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(':');
  const text = zeros.end === zeros.start ? hex(words) : `${hex(words.slice(0, zeros.start))}::${hex(words.slice(zeros.end))}`;
  return text + suffix;
}

/** Returns `address/bits`, as Go's `netip.Prefix.String` writes it. */
export function formatIpPrefix({ address, bits }: IpPrefix): string {
  return `${formatIp(address)}/${bits}`;
}

/** Returns true if two addresses have the same bytes and the same zone. */
export function equalIps(a: IpAddress, b: IpAddress): boolean {
  return a.zone === b.zone && a.bytes.length === b.bytes.length && a.bytes.every((byte, index) => byte === b.bytes[index]);
}

/** Returns the address with only its first `bits` bits; all later bits are zero. */
export function maskIp({ bytes, zone }: IpAddress, bits: number): IpAddress {
  return { zone, bytes: bytes.map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))) & 0xff) };
}

/** Returns true if the network contains the address. An address with a zone is in no network. */
export function prefixContains(prefix: IpPrefix, address: IpAddress): boolean {
  return address.zone === '' && equalIps(maskIp(prefix.address, prefix.bits), maskIp(address, prefix.bits));
}

/** Returns true if the address is 0.0.0.0 or ::. Like the other functions of this file that classify addresses, it follows Go net/netip. */
export function isUnspecified({ bytes, zone }: IpAddress): boolean {
  return zone === '' && bytes.every((byte) => byte === 0);
}

/** Returns true if the address is in 127.0.0.0/8 or is ::1. */
export function isLoopback({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes[15] === 1 && bytes.slice(0, 15).every((byte) => byte === 0);
}

function isMulticast({ bytes }: IpAddress): boolean {
  return bytes.length === 4 ? ((bytes[0] as number) & 0xf0) === 0xe0 : bytes[0] === 0xff;
}

/** Returns true if the address is in 224.0.0.0/24, or in ff02::/16 with any flags. */
export function isLinkLocalMulticast({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] as number) & 0x0f) === 2;
}

/** Returns true if the address is in 169.254.0.0/16 or fe80::/10. */
export function isLinkLocalUnicast({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] as number) & 0xc0) === 0x80;
}

/** Returns true if the address is a global unicast address. As in Go, private addresses also count as global. */
export function isGlobalUnicast(address: IpAddress): boolean {
  if (address.bytes.length === 4 && address.bytes.every((byte) => byte === 255)) return false;
  return !isUnspecified(address) && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}
