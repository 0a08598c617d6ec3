import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { CertificatePair } from './issue-certificate.ts';
import { SelfMadeCertificate } from './serving-certificate.ts';

describe('a self-made certificate', () => {
  let made: SelfMadeCertificate | undefined;
  afterEach(() => made?.close());

  it('is renewed before it ends, and shown only when its authority is trusted', async () => {
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

  it('of which the first is not trusted ends the start', async () => {
    const settings = { names: ['a.example.com'], lifetimeMs: 1000, spreadMs: 0, report: () => undefined };
    await expect(SelfMadeCertificate.start({ ...settings, trust: () => Promise.reject(new Error('no')) })).rejects.toThrow('no');
  });
});
