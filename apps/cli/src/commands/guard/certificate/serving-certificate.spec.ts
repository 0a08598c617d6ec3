import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { issueCertificate } from './issue-certificate.ts';
import type { CertificatePair } from './issue-certificate.ts';
import { FileCertificate, SelfMadeCertificate } from './serving-certificate.ts';

describe.skipIf(process.platform === 'win32')('a certificate in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-certificate-'));
  const pipe = join(folder, 'pipe');
  const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };

  it('is rejected if the file is a pipe, because reading would wait', () => {
    execFileSync('mkfifo', [pipe]);
    expect(() => new FileCertificate({ cert: pipe, key: pipe }, () => undefined)).toThrow('no certificate and its key');
  });

  it('is still used if a pipe replaces its file', async () => {
    const issued = issueCertificate(['a.example.com'], 60_000);
    writeFileSync(files.cert, issued.cert);
    writeFileSync(files.key, issued.key);
    const reported: string[] = [];
    const certificate = new FileCertificate(files, (line) => reported.push(line));
    renameSync(pipe, files.cert);
    const firstReport = (): string | undefined => {
      // The watch reports a change only if it has seen the file before, so this touches the file repeatedly.
      utimesSync(files.cert, new Date(), new Date());
      return reported[0];
    };
    await expect.poll(firstReport).toContain('the certificate stays as it was');
    expect(certificate.pair.cert).toBe(issued.cert);
    certificate.close();
  });
});

describe('a certificate that the guard makes', () => {
  let made: SelfMadeCertificate | undefined;
  afterEach(() => made?.close());

  it('is renewed before it expires, and used only after its authority is trusted', async () => {
    const trusted: string[] = [];
    const reported: string[] = [];
    let isRefused = false;
    const trust = (authority: string): Promise<void> => {
      if (isRefused) return Promise.reject(new Error('no'));
      trusted.push(authority);
      return Promise.resolve();
    };
    made = await SelfMadeCertificate.start({
      names: ['a.example.com'],
      lifetimeMs: 600,
      spreadMs: 10,
      trust,
      report: (line) => reported.push(line),
    });
    const first = made.pair;
    const shown: CertificatePair[] = [];
    made.onReplaced = (pair) => {
      expect(trusted.some((authority) => new X509Certificate(pair.cert).checkIssued(new X509Certificate(authority)))).toBe(true);
      shown.push(pair);
    };
    await expect.poll(() => shown.length).toBeGreaterThan(0);
    expect(shown[0]).not.toEqual(first);
    isRefused = true;
    await expect.poll(() => reported).toContain('the certificate was not renewed: no');
    isRefused = false;
    const before = shown.length;
    await expect.poll(() => shown.length).toBeGreaterThan(before);
    expect(made.pair).toEqual(shown.at(-1));
  });

  it('prevents the start if its first authority is not trusted', async () => {
    const settings = { names: ['a.example.com'], lifetimeMs: 1000, spreadMs: 0, report: () => undefined };
    await expect(SelfMadeCertificate.start({ ...settings, trust: () => Promise.reject(new Error('no')) })).rejects.toThrow('no');
  });
});
