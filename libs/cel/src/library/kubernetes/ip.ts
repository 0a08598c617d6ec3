import {
  equalIps,
  formatIp,
  goQuote,
  isGlobalUnicast,
  isIPv4,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIPv4,
  isUnspecified,
  parseIp,
} from '#go';
import type { IpAddress, IpResult } from '#go';
import { equalWithin, LibraryValue } from '../../values/library-value.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { BOOL, INT, STRING } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Described, FunctionDeclaration } from '../define.ts';
import { doubleScanOf, nominal, oneUnit, scanOf, scansFirst, scansFirstTwice } from '../formulas.ts';
import { bounded, globalOverload, linear, memberOverload } from '../overload.ts';
import { memoizeShort } from '../../values/text.ts';

/** The CEL type `net.IP`. Source: k8s.io/apiserver/pkg/cel/ip.go (1.37). */
export const IP_TYPE: CelType = { kind: 'opaque', name: 'net.IP', parameters: [] };
/** Minor number of the compatibility version that introduced the IP library. */
const since = 30;

const PARSING = linear('k8s.io/apiserver/pkg/cel/library/ip.go `parseIPAddr` (1.37)');
const ADDRESS = bounded('Go net/netip/netip.go `Addr` (1.26), which is of one size');

/** CEL value of an IP address. */
export class IpValue extends LibraryValue {
  readonly celType = IP_TYPE;
  readonly goType = 'cel.IP';
  readonly address: IpAddress;
  constructor(address: IpAddress) {
    super();
    this.address = address;
  }
  equalTo(other: CelValue): boolean | CelError {
    return equalWithin(IpValue, other, ({ address }) => equalIps(address, this.address));
  }
  toString(): string {
    return formatIp(this.address);
  }
  /** Size of the address in cost formulas, in bytes. */
  override get costSize(): number {
    return this.address.bytes.length;
  }
}

/**
 * Parses an IP address. Rejects addresses with a zone and IPv4-mapped IPv6 addresses. Source: k8s.io/apiserver/pkg/cel/library/ip.go
 * `parseIPAddr` (1.37).
 */
export const readIp = memoizeShort((text: string): IpResult => {
  const parsed = parseIp(text);
  if (!parsed.ok) return { ok: false, error: `IP Address ${goQuote(text)} parse error during conversion from string: ${parsed.error}` };
  if (parsed.address.zone !== '') return { ok: false, error: `IP address ${goQuote(text)} with zone value is not allowed` };
  return isMappedIPv4(parsed.address) ? { ok: false, error: `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed` } : parsed;
});

function toIp(text: string): CelValue {
  const parsed = readIp(text);
  return parsed.ok ? new IpValue(parsed.address) : new CelError(parsed.error);
}

function isCanonical(text: string): CelValue {
  const parsed = readIp(text);
  return parsed.ok ? formatIp(parsed.address) === text : new CelError(parsed.error);
}

const declare = (declaration: Omit<FunctionDeclaration, 'library'>): FunctionDeclaration => ({
  library: 'kubernetes.net.ip',
  ...declaration,
});

function property(described: Described, id: string, holds: (address: IpAddress) => boolean): FunctionDeclaration {
  const overload = memberOverload(id, [IP_TYPE], BOOL, {
    since,
    estimate: nominal,
    measure: oneUnit,
    growth: ADDRESS,
    call: (ip) => holds((ip as IpValue).address),
  });
  return declare({ ...described, overloads: [overload], measure: oneUnit });
}

/** Declarations of the functions on IP addresses. */
export const IP_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare({
    name: 'ip',
    doc: 'An IP address from its text.',
    examples: ["ip('127.0.0.1').family() == 4"],
    overloads: [
      globalOverload('string_to_ip', [STRING], IP_TYPE, {
        since,
        estimate: scanOf(0),
        measure: scansFirst,
        growth: PARSING,
        call: (text) => toIp(text as string),
      }),
    ],
    measure: scansFirst,
  }),
  declare({
    name: 'family',
    doc: 'The version of an IP address: 4 or 6.',
    examples: ["ip('::1').family() == 6"],
    overloads: [
      memberOverload('ip_family', [IP_TYPE], INT, {
        since,
        estimate: nominal,
        measure: oneUnit,
        growth: ADDRESS,
        call: (ip) => (isIPv4((ip as IpValue).address) ? 4 : 6),
      }),
    ],
    measure: oneUnit,
  }),
  declare({
    name: 'ip.isCanonical',
    doc: 'True if a text is an address in its canonical spelling.',
    examples: ["ip.isCanonical('127.0.0.1')", "!ip.isCanonical('2001:DB8::ABCD')"],
    overloads: [
      globalOverload('ip_is_canonical', [STRING], BOOL, {
        since,
        estimate: doubleScanOf(0),
        measure: scansFirstTwice,
        growth: PARSING,
        call: (text) => isCanonical(text as string),
      }),
    ],
    measure: scansFirstTwice,
  }),
  property(
    { name: 'isUnspecified', doc: 'True for 0.0.0.0 and ::.', examples: ["ip('0.0.0.0').isUnspecified()"] },
    'ip_is_unspecified',
    isUnspecified,
  ),
  property(
    { name: 'isLoopback', doc: 'True for 127.0.0.0/8 and ::1.', examples: ["ip('127.0.0.1').isLoopback()"] },
    'ip_is_loopback',
    isLoopback,
  ),
  property(
    {
      name: 'isLinkLocalMulticast',
      doc: 'True for 224.0.0.0/24 and ff02::/16.',
      examples: ["ip('224.0.0.1').isLinkLocalMulticast()"],
    },
    'ip_is_link_local_multicast',
    isLinkLocalMulticast,
  ),
  property(
    {
      name: 'isLinkLocalUnicast',
      doc: 'True for 169.254.0.0/16 and fe80::/10.',
      examples: ["ip('fe80::1').isLinkLocalUnicast()"],
    },
    'ip_is_link_local_unicast',
    isLinkLocalUnicast,
  ),
  property(
    {
      name: 'isGlobalUnicast',
      doc: 'True for unicast addresses that are neither loopback nor link-local.',
      examples: ["ip('192.168.0.1').isGlobalUnicast()"],
    },
    'ip_is_global_unicast',
    isGlobalUnicast,
  ),
  declare({
    name: 'isIP',
    doc: 'True if a text is an IP address.',
    examples: ["isIP('::1')", "!isIP('127.0.0.256')"],
    overloads: [
      globalOverload('is_ip', [STRING], BOOL, {
        since,
        estimate: scanOf(0),
        measure: scansFirst,
        growth: PARSING,
        call: (text) => readIp(text as string).ok,
      }),
    ],
    measure: scansFirst,
  }),
  declare({
    name: 'string',
    doc: 'The canonical text of an address.',
    examples: [["string(ip('2001:DB8::ABCD'))", "'2001:db8::abcd'"]],
    overloads: [globalOverload('ip_to_string', [IP_TYPE], STRING, { since, growth: ADDRESS, call: (ip) => String(ip) })],
  }),
];
