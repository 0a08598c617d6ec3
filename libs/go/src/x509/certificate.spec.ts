import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64Bytes } from '../bytes.ts';
import { isCertificate } from './certificate.ts';

/** Self-signed certificate of example.com, in DER. */
const CERTIFICATE = base64Bytes(
  'MIIBgTCCASegAwIBAgIURCn5h4FH7t/bXr+d5I1eEFiyhI8wCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wHhcNMjYxMTIyMDc0NTM1WhcN' +
    'MzYxMTE5MDc0NTM1WjAWMRQwEgYDVQQDDAtleGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLcCHHmcbXOc09vcp1NKvWwZTcMdmWDTrGoQ' +
    'MIZcLXmet6AuLx7Xwg+CyA+egxsv0ESGuE9hi2tinE6xqFyBQJqjUzBRMB0GA1UdDgQWBBSwP1z9Z9QXZwGrIRN2dE6hCc6PTzAfBgNVHSMEGDAWgBSwP1z9' +
    'Z9QXZwGrIRN2dE6hCc6PTzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIBb+tzZ1slRgEdXKdFBMhdASq86wPQLlYk4LR6SgzVQkAiEA63G6' +
    'CESDd1F+Iz306B6vAebjyigkb4AmEDPdi3z4m+I=',
);

function nodeTakes(der: Uint8Array): boolean {
  try {
    return new X509Certificate(der).raw.length === der.length;
  } catch {
    return false;
  }
}

describe('isCertificate', () => {
  it('accepts a certificate', () => {
    expect(isCertificate(CERTIFICATE)).toBe(true);
  });

  it.each([0, 1, 2, 5, 100, CERTIFICATE.length - 1])('rejects a certificate that is cut after %i bytes', (length) => {
    expect(isCertificate(CERTIFICATE.subarray(0, length))).toBe(false);
  });

  it('rejects a certificate with an extra byte', () => {
    expect(isCertificate(Uint8Array.of(...CERTIFICATE, 0))).toBe(false);
  });

  it('accepts nearly all one-byte changes of a certificate that OpenSSL accepts', () => {
    const wrong: number[] = [];
    for (let i = 0; i < CERTIFICATE.length; i++) {
      const changed = Uint8Array.from(CERTIFICATE);
      changed[i] = (changed[i] as number) ^ 0x40;
      if (nodeTakes(changed) && !isCertificate(changed)) wrong.push(i);
    }
    // OpenSSL accepts a malformed validity, because it parses the validity on demand.
    expect(wrong.length).toBeLessThan(8);
  });
});
