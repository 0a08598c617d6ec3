import { describe, expect, it } from 'vitest';
import {
  formatIp,
  formatIpPrefix,
  isGlobalUnicast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIPv4,
  maskIp,
  parseIp,
  parseIpPrefix,
  prefixContains,
} from './ip.ts';
import type { IpAddress, IpPrefix } from './ip.ts';

function ip(text: string): IpAddress {
  const result = parseIp(text);
  if (!result.ok) throw new Error(result.error);
  return result.address;
}

function prefix(text: string): IpPrefix {
  const result = parseIpPrefix(text);
  if (!result.ok) throw new Error(result.error);
  return result.prefix;
}

describe('IP addresses', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::', '::'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ])('%s is formatted as %s', (text, written) => {
    expect(formatIp(ip(text))).toBe(written);
  });

  it.each([
    ['', 'ParseAddr(""): unable to parse IP'],
    ['01.2.3.4', 'ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero'],
    ['1.2.3.256', 'ParseAddr("1.2.3.256"): IPv4 field has value >255'],
    ['1.2.3', 'ParseAddr("1.2.3"): IPv4 address too short'],
    ['fe80::1%', 'ParseAddr("fe80::1%"): zone must be a non-empty string'],
  ])('rejects the address %s', (text, error) => {
    expect(parseIp(text)).toEqual({ ok: false, error });
  });

  it('are classified as loopback, multicast and other kinds', () => {
    expect(isLoopback(ip('127.9.9.9'))).toBe(true);
    expect(isLinkLocalUnicast(ip('169.254.0.1'))).toBe(true);
    expect(isGlobalUnicast(ip('255.255.255.255'))).toBe(false);
    expect(isMappedIPv4(ip('::ffff:1.2.3.4'))).toBe(true);
  });
});

describe('prefixes (CIDRs)', () => {
  it('keep the host bits until they are masked', () => {
    const { address, bits } = prefix('10.1.2.3/16');
    expect(formatIpPrefix({ address, bits })).toBe('10.1.2.3/16');
    expect(formatIp(maskIp(address, bits))).toBe('10.1.0.0');
  });

  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['::/0', '10.0.0.1', false],
    ['2001:db8::/33', '2001:db8:8000::', false],
  ])('the prefix %s contains %s: %s', (range, address, holds) => {
    expect(prefixContains(prefix(range), ip(address))).toBe(holds);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fe80::1%eth0/64', '10.0.0.0/-1'])('reject the text %s', (text) => {
    expect(parseIpPrefix(text).ok).toBe(false);
  });
});
