/**
 * Returns true if the text is an IPv4 address of four decimal numbers, each at most 255. Leading zeros are allowed. Source:
 * k8s.io/utils/internal/third_party/forked/golang/net/ip.go.
 */
function isIPv4Sloppy(text: string): boolean {
  const parts = text.split('.', 5);
  return parts.length === 4 && parts.every((part) => /^\d{1,}$/.test(part) && Number(part) <= 255);
}

/** Number of groups of an IPv6 address. A longer text is not taken apart. */
const MAX_GROUPS = 8;

/** Checks for the parts of an IPv6 address. */
interface AddressReading {
  readonly isIPv4: (text: string) => boolean;
  /** Pattern of one group of an IPv6 address: 16 bits in hexadecimal. */
  readonly isGroup: RegExp;
}

/** Returns true if the text is an IPv6 address without a zone. Its last part may be an IPv4 address. */
function isIPv6Text(text: string, { isIPv4, isGroup }: AddressReading): boolean {
  const halves = text.split('::', 3);
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [half, side] of halves.entries()) {
    if (side === '') continue;
    const parts = side.split(':', MAX_GROUPS + 1);
    if (parts.length > MAX_GROUPS) return false;
    for (const [index, part] of parts.entries()) {
      const last = half === halves.length - 1 && index === parts.length - 1;
      if (last && part.includes('.')) {
        if (!isIPv4(part)) return false;
        groups += 2;
      } else {
        if (!isGroup.test(part)) return false;
        groups += 1;
      }
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/** Returns true if the text is an IPv4 address without leading zeros, as net.ParseIP of the Go standard library requires. */
function isIPv4Strict(text: string): boolean {
  return isIPv4Sloppy(text) && text.split('.').every((part) => part === '0' || !part.startsWith('0'));
}

/** Checks that accept the same addresses as the Go standard library. */
const STRICT: AddressReading = { isIPv4: isIPv4Strict, isGroup: /^[0-9a-fA-F]{1,4}$/ };
/** Checks that accept the same addresses as the older Go version that Kubernetes copied. They allow any number of leading zeros. */
const SLOPPY: AddressReading = { isIPv4: isIPv4Sloppy, isGroup: /^0*[0-9a-fA-F]{1,4}$/ };

function isIPSloppy(text: string): boolean {
  return text.includes(':') ? isIPv6Text(text, SLOPPY) : isIPv4Sloppy(text);
}

/** Returns true if net.ParseIP of the Go standard library accepts the text as an address. */
export function isIPText(text: string): boolean {
  return text.includes(':') ? isIPv6Text(text, STRICT) : isIPv4Strict(text);
}

/**
 * Returns true if the text has the format `ipv4`. An IPv6 address that contains a dot is also accepted. Source: kube-openapi
 * pkg/validation/strfmt/default.go.
 */
export function isIPv4Format(text: string): boolean {
  return text.includes('.') && isIPSloppy(text);
}

/** Returns true if the text has the format `ipv6`. */
export function isIPv6Format(text: string): boolean {
  return text.includes(':') && isIPv6Text(text, STRICT);
}

/** Returns true if the text has the format `cidr`. Leading zeros are allowed in IPv4 parts. */
export function isCidrFormat(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (!isIPSloppy(address) || !/^\d{1,9}$/.test(bits)) return false;
  return Number(bits) <= (address.includes(':') ? 128 : 32);
}

const MAC =
  /^(?:[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?|[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40})$/i;

/**
 * Returns true if the text has the format `mac`: 6, 8 or 20 octets. The octets may be separated by colons, dashes or dots, or not
 * separated. Go 1.25 and earlier require separators. Source: Go 1.26 net/mac.go.
 */
export function isMacFormat(text: string): boolean {
  return MAC.test(text);
}
