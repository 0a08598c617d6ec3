import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectIdentifier, derInteger, derTime, issueCertificate } from './issue-certificate.ts';

const DAY = 24 * 3_600_000;
const NAMES = ['assay-guard.assay-guard.svc', '*.example.com', '127.0.0.1', '2001:db8::1'];

describe('a certificate that the guard issues', () => {
  const { cert, key, authority } = issueCertificate(NAMES, DAY);
  const [server, issuer] = [new X509Certificate(cert), new X509Certificate(authority)];

  it('is signed by its authority, which is a CA certificate, and is no CA certificate itself', () => {
    expect(server.verify(issuer.publicKey)).toBe(true);
    expect(server.checkIssued(issuer)).toBe(true);
    expect([issuer.ca, server.ca]).toEqual([true, false]);
    expect(issuer.verify(issuer.publicKey)).toBe(true);
    expect(issuer.subject).toMatch(/^CN=assay guard self-made [0-9a-f]{8}$/);
  });

  it('has only the requested names and addresses', () => {
    expect(server.checkHost('assay-guard.assay-guard.svc')).toBeDefined();
    expect(server.checkHost('a.example.com')).toBeDefined();
    expect(server.checkHost('example.org')).toBeUndefined();
    expect(server.checkIP('127.0.0.1')).toBeDefined();
    expect(server.checkIP('2001:db8::1')).toBeDefined();
    expect(server.checkIP('2001:db8::2')).toBeUndefined();
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('fits its key, and expires at the requested time', () => {
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(server.validToDate.getTime() - Date.now()).toBeGreaterThan(DAY - 60_000);
    expect(server.validToDate.getTime() - Date.now()).toBeLessThanOrEqual(DAY);
    expect(server.validFromDate.getTime()).toBeLessThan(Date.now());
  });

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  if (!hasOpenssl) console.warn('SKIPPED: openssl is not on PATH: it did not verify the certificate');
  it.skipIf(!hasOpenssl)('is valid for openssl in strict mode', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-certificate-'));
    try {
      const [certFile, authorityFile] = [join(folder, 'tls.crt'), join(folder, 'ca.crt')];
      writeFileSync(certFile, cert);
      writeFileSync(authorityFile, authority);
      const given = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', NAMES[0]!, '-CAfile', authorityFile, certFile];
      expect(execFileSync('openssl', given, { encoding: 'utf8' })).toContain('OK');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('writing DER', () => {
  it.each([
    ['a first bit that would be a sign', derInteger(Buffer.from([0x80])), '02020080'],
    ['zeros before a number', derInteger(Buffer.from([0, 0, 1])), '020101'],
    ['zero', derInteger(Buffer.from([0])), '020100'],
    ['an identifier with long parts', objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    ['a time before 2050', derTime(new Date('2049-12-31T23:59:59Z')), `170d${Buffer.from('491231235959Z').toString('hex')}`],
    ['a time from 2050 on', derTime(new Date('2050-01-01T00:00:00Z')), `180f${Buffer.from('20500101000000Z').toString('hex')}`],
  ])('gives the right bytes for %s', (_, written, expected) => expect(written.toString('hex')).toBe(expected));
});
