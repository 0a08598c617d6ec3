import { equalIps, formatIpPrefix, goQuote, isIPv4, isMappedIPv4, maskIp, parseIpPrefix, prefixContains } from '#go';
import type { IpPrefix, PrefixResult } from '#go';
import { range } from '../range.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { equalWithin, LibraryValue } from '../../values/library-value.ts';
import { BOOL, INT, STRING } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Estimate, FunctionDeclaration, Measure, PlainCall } from '../define.ts';
import { nominal, oneUnit, scan, scanOf, scansFirst } from '../formulas.ts';
import { bounded, dated, globalOverload, linear, memberOverload } from '../overload.ts';
import { estimateOf, fixed, measureOf, size, sum } from '../price.ts';
import type { PriceTerm } from '../price.ts';
import { memoizeShort } from '../../values/text.ts';
import { IP_TYPE, IpValue, readIp } from './ip.ts';

const CIDR_TYPE: CelType = { kind: 'opaque', name: 'net.CIDR', parameters: [] };
/** Minor number of the compatibility version that introduced the CIDR library. */
const since = 30;
/** Compatibility version that introduced version 1 of the CIDR library. */
const sinceVersion1 = 38;

const PARSING = linear('k8s.io/apiserver/pkg/cel/library/cidr.go `parseCIDR` (1.37)');
const NETWORK = bounded('Go net/netip/netip.go `Prefix` (1.26), which is of one size');

/** CEL value of an IP network, which is an address with a prefix length. Host bits of the address may be set. */
class CidrValue extends LibraryValue {
  readonly celType = CIDR_TYPE;
  readonly goType = 'cel.CIDR';
  readonly prefix: IpPrefix;
  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }
  equalTo(other: CelValue): boolean | CelError {
    return equalWithin(CidrValue, other, ({ prefix }) => prefix.bits === this.prefix.bits && equalIps(prefix.address, this.prefix.address));
  }
  toString(): string {
    return formatIpPrefix(this.prefix);
  }
  /** Size of the network in cost formulas: the number of bytes that its prefix covers completely or partly. */
  override get costSize(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
}

/**
 * Parses a network from its text. `toCidr` adds the prefix `network address parse error during conversion from string` to every error a
 * second time, as upstream does.
 */
const readCidr = memoizeShort((text: string): PrefixResult => {
  const parsed = parseIpPrefix(text);
  if (!parsed.ok) return { ok: false, error: `network address parse error during conversion from string: ${parsed.error}` };
  return isMappedIPv4(parsed.prefix.address) ? { ok: false, error: `IPv4-mapped IPv6 address ${goQuote(text)} is not allowed` } : parsed;
});

function toCidr(text: string): CelValue {
  const parsed = readCidr(text);
  return parsed.ok
    ? new CidrValue(parsed.prefix)
    : new CelError(`network address parse error during conversion from string: ${parsed.error}`);
}

const prefixOf = (value: CelValue | undefined): IpPrefix => (value as CidrValue).prefix;

function containsCidr(outer: IpPrefix, inner: IpPrefix): boolean {
  if (isIPv4(outer.address) !== isIPv4(inner.address) || outer.bits > inner.bits) return false;
  return prefixContains(outer, inner.address);
}

/**
 * Returns true if `outer` contains `inner` by the rule of servers before 1.32. By this rule, the unmasked address of `inner` must equal the
 * masked address of `outer`.
 */
function containsCidrExactly(outer: IpPrefix, inner: IpPrefix): boolean {
  return outer.bits <= inner.bits && equalIps(maskIp(outer.address, outer.bits), inner.address);
}

/**
 * Returns true if a network contains the address given as text. If the text is not an address, the error is `no such overload` as in
 * upstream, and the parse error is lost.
 */
const containsIpText: PlainCall = (cidr, text) => {
  const parsed = readIp(text as string);
  return parsed.ok ? prefixContains(prefixOf(cidr), parsed.address) : NO_SUCH_OVERLOAD;
};

type Containment = (outer: IpPrefix, inner: IpPrefix) => boolean;

const inText =
  (contains: Containment): PlainCall =>
  (cidr, text) => {
    const parsed = toCidr(text as string);
    return parsed instanceof CidrValue ? contains(prefixOf(cidr), parsed.prefix) : parsed;
  };

const inNetwork =
  (contains: Containment): PlainCall =>
  (a, b) =>
    contains(prefixOf(a), prefixOf(b));

/** Function that returns the cost of an operation on addresses of the given size in bytes. */
type ByAddress = (address: PriceTerm) => PriceTerm;
/** Returns the cost of comparing two addresses. */
const comparison: ByAddress = (address) => scan(sum(address, address));
/** Returns the cost of comparing two networks: comparing their addresses, masking one address, and comparing the prefix lengths. */
const networkComparison: ByAddress = (address) => sum(comparison(address), scan(address), fixed(1));
/** Adds the cost of parsing the second operand, for overloads in which the second operand is a text. */
const withParsing =
  (price: ByAddress): ByAddress =>
  (address) =>
    sum(price(address), scan(size(1)));

/** Size in bytes of an address whose family is unknown at compile time: from 4 (IPv4) to 16 (IPv6). */
const ANY_ADDRESS: PriceTerm = { ...fixed(16), range: () => range(4n, 16n) };
/**
 * Returns the static estimate and the run-time cost of a function on a network. Both depend on the size of an address. The estimate assumes
 * 4 to 16 bytes, because the address family is unknown. At run time, the number of bytes that the network's prefix covers is used instead.
 */
const priced = (price: ByAddress): { readonly estimate: Estimate; readonly measure: Measure } => ({
  estimate: estimateOf(price(ANY_ADDRESS)),
  measure: measureOf(price(size(0))),
});

const declare = (declaration: Omit<FunctionDeclaration, 'library'>): FunctionDeclaration => ({
  library: 'kubernetes.net.cidr',
  ...declaration,
});

/** Declarations of the functions on IP networks. Source: k8s.io/apiserver/pkg/cel/library/cidr.go (1.38). */
export const CIDR_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare({
    name: 'cidr',
    doc: 'A network from its text; host bits may be set.',
    examples: ["cidr('192.168.0.0/24').prefixLength() == 24"],
    overloads: [
      globalOverload('string_to_cidr', [STRING], CIDR_TYPE, {
        since,
        estimate: scanOf(0),
        measure: scansFirst,
        growth: PARSING,
        call: (text) => toCidr(text as string),
      }),
    ],
    measure: scansFirst,
  }),
  declare({
    name: 'containsIP',
    doc: 'True if a network contains an address.',
    examples: ["cidr('192.168.0.0/24').containsIP('192.168.0.1')", "!cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))"],
    overloads: [
      memberOverload('cidr_contains_ip_string', [CIDR_TYPE, STRING], BOOL, {
        since,
        ...priced(withParsing(comparison)),
        growth: PARSING,
        call: containsIpText,
      }),
      memberOverload('cidr_contains_ip_ip', [CIDR_TYPE, IP_TYPE], BOOL, {
        since,
        ...priced(comparison),
        growth: NETWORK,
        call: (cidr, ip) => prefixContains(prefixOf(cidr), (ip as IpValue).address),
      }),
    ],
    measure: measureOf(comparison(size(0))),
  }),
  declare({
    name: 'containsCIDR',
    doc: 'True if a network contains another.',
    examples: ["cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')", "!cidr('192.168.10.0/24').containsCIDR(cidr('192.168.0.0/16'))"],
    overloads: [
      ...dated(
        memberOverload('cidr_contains_cidr_string', [CIDR_TYPE, STRING], BOOL, {
          since,
          ...priced(withParsing(networkComparison)),
          growth: PARSING,
          call: inText(containsCidr),
        }),
        [{ replacedIn: '1.32', parts: { call: inText(containsCidrExactly) } }],
      ),
      ...dated(
        memberOverload('cidr_contains_cidr', [CIDR_TYPE, CIDR_TYPE], BOOL, {
          since,
          ...priced(networkComparison),
          growth: NETWORK,
          call: inNetwork(containsCidr),
        }),
        [{ replacedIn: '1.32', parts: { call: inNetwork(containsCidrExactly) } }],
      ),
    ],
    measure: measureOf(networkComparison(size(0))),
  }),
  declare({
    name: 'ip',
    doc: 'The address of a network, as written.',
    examples: ["cidr('192.168.0.1/24').ip() == ip('192.168.0.1')"],
    overloads: [
      memberOverload('cidr_ip', [CIDR_TYPE], IP_TYPE, {
        since,
        estimate: nominal,
        measure: oneUnit,
        growth: NETWORK,
        call: (cidr) => new IpValue(prefixOf(cidr).address),
      }),
    ],
  }),
  declare({
    name: 'prefixLength',
    doc: 'The length of the prefix, in bits.',
    examples: ["cidr('::1/128').prefixLength() == 128"],
    overloads: [
      memberOverload('cidr_prefix_length', [CIDR_TYPE], INT, {
        since,
        estimate: nominal,
        measure: oneUnit,
        growth: NETWORK,
        call: (cidr) => prefixOf(cidr).bits,
      }),
    ],
    measure: oneUnit,
  }),
  declare({
    name: 'masked',
    doc: 'The network with its host bits cleared.',
    examples: ["cidr('192.168.1.5/24').masked() == cidr('192.168.1.0/24')"],
    overloads: [
      memberOverload('cidr_masked', [CIDR_TYPE], CIDR_TYPE, {
        since,
        estimate: nominal,
        measure: oneUnit,
        growth: NETWORK,
        call: (cidr) => new CidrValue({ address: maskIp(prefixOf(cidr).address, prefixOf(cidr).bits), bits: prefixOf(cidr).bits }),
      }),
    ],
    measure: oneUnit,
  }),
  declare({
    name: 'isMask',
    doc: 'True if a network has no host bits.',
    examples: ["cidr('192.168.0.0/24').isMask()", "!cidr('192.168.0.1/24').isMask()"],
    overloads: [
      memberOverload('cidr_is_mask', [CIDR_TYPE], BOOL, {
        since: sinceVersion1,
        estimate: nominal,
        measure: oneUnit,
        growth: NETWORK,
        call: (cidr) => equalIps(maskIp(prefixOf(cidr).address, prefixOf(cidr).bits), prefixOf(cidr).address),
      }),
    ],
    measure: oneUnit,
  }),
  declare({
    name: 'isCIDR',
    doc: 'True if a text is a network.',
    examples: ["isCIDR('192.168.0.0/16')", "!isCIDR('192.168.0.0')"],
    overloads: [
      globalOverload('is_cidr', [STRING], BOOL, {
        since,
        estimate: scanOf(0),
        measure: scansFirst,
        growth: PARSING,
        call: (text) => readCidr(text as string).ok,
      }),
    ],
    measure: scansFirst,
  }),
  declare({
    name: 'string',
    doc: 'The text of a network.',
    examples: [["string(cidr('192.168.0.0/24'))", "'192.168.0.0/24'"]],
    overloads: [globalOverload('cidr_to_string', [CIDR_TYPE], STRING, { since, growth: NETWORK, call: (cidr) => String(cidr) })],
  }),
];
