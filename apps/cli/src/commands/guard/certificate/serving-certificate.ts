import { unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { FileAccess } from '../../../files/file-access.ts';
import { UsageError } from '../../../usage.ts';
import { issueCertificate } from './issue-certificate.ts';
import type { CertificatePair } from './issue-certificate.ts';

/** Certificate that a guard presents to its clients. It may be replaced while the guard serves. */
export interface ServingCertificate {
  readonly pair: CertificatePair;
  /** Called with each new pair of certificate and key, until `close` is called. */
  onReplaced: ((pair: CertificatePair) => void) | undefined;
  close(): void;
}

/** Paths of the files of a certificate and its key, in PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Interval in ms at which the certificate files are checked, because mounted secrets change without an event. */
const RELOAD_MS = 2_000;

/**
 * Certificate from files, which are read again when they change. While the files are being replaced, certificate and key may not match. The
 * old certificate stays in use until they match again.
 */
export class FileCertificate implements ServingCertificate {
  pair: CertificatePair;
  onReplaced: ServingCertificate['onReplaced'];
  readonly #files: CertificateFiles;
  readonly #report: (sentence: string) => void;

  /** Reads the files and watches them. Throws {@link UsageError} if they do not contain a certificate and its key. */
  constructor(files: CertificateFiles, report: (sentence: string) => void) {
    this.#files = files;
    this.#report = report;
    this.pair = readFiles(files);
    for (const file of [files.cert, files.key]) watchFile(file, { interval: RELOAD_MS }, this.#reload);
  }

  close(): void {
    for (const file of [this.#files.cert, this.#files.key]) unwatchFile(file, this.#reload);
  }

  readonly #reload = (): void => {
    try {
      this.pair = readFiles(this.#files);
      this.onReplaced?.(this.pair);
      this.#report('the certificate was read again');
    } catch (error) {
      this.#report(`the certificate stays as it was: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Maximum size of a certificate with its chain, and of a key, in bytes. */
const MAX_BYTES = 1024 * 1024;

function readFiles({ cert, key }: CertificateFiles): CertificatePair {
  const access = new FileAccess();
  const [certText, keyText] = [cert, key].map((file) => {
    const reading = access.read(file, MAX_BYTES);
    if (!reading.ok) throw new UsageError(`${cert}, ${key}: no certificate and its key: ${file}: ${reading.problem}`);
    return reading.content.toString();
  });
  const pair = { cert: certText ?? '', key: keyText ?? '' };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new UsageError(`${cert}, ${key}: no certificate and its key: ${error instanceof Error ? error.message : String(error)}`);
  }
  return pair;
}

/** Settings of the TLS certificates that the guard (the admission webhook of Assay) creates itself. */
export interface SelfMadeSettings {
  /** DNS names and IP addresses of the server. */
  readonly names: readonly string[];
  /** Lifetime of each certificate, in ms. The next certificate is created after two thirds of this time. */
  readonly lifetimeMs: number;
  /**
   * Time in ms between two steps of a renewal: making API servers trust a new authority, and presenting the certificate that the authority
   * signed.
   */
  readonly spreadMs: number;
  /** Makes API servers trust an authority, given in PEM. Rejects if that fails. */
  readonly trust: (authority: string) => Promise<void>;
  readonly report: (sentence: string) => void;
}

/**
 * Lifetime of a self-made certificate in ms: 30 days. Pods are replaced more often, and the certificate of a pod that ended should not stay
 * trusted for long.
 */
export const LIFETIME_MS = 30 * 24 * 3_600_000;
/**
 * Time in ms between announcing a new authority to API servers and presenting the certificate that it signed. API servers notice a changed
 * webhook configuration within a second or two.
 */
export const SPREAD_MS = 10_000;
/** Time in ms after which a failed renewal is tried again. */
const RETRY_MS = 60_000;

/** Certificate that this process creates, together with the authority that signs it. The certificate is replaced before it expires. */
export class SelfMadeCertificate implements ServingCertificate {
  pair: CertificatePair;
  onReplaced: ServingCertificate['onReplaced'];
  readonly #settings: SelfMadeSettings;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(settings: SelfMadeSettings, pair: CertificatePair) {
    this.#settings = settings;
    this.pair = pair;
    this.#renewAfter(this.#renewalMs);
  }

  /** Creates the first certificate. Resolves when its authority is trusted; rejects if that fails. */
  static async start(settings: SelfMadeSettings): Promise<SelfMadeCertificate> {
    const { authority, ...pair } = issueCertificate(settings.names, settings.lifetimeMs);
    await settings.trust(authority);
    return new SelfMadeCertificate(settings, pair);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get #renewalMs(): number {
    return (this.#settings.lifetimeMs * 2) / 3;
  }

  #renewAfter(ms: number): void {
    // Timers are limited to 2^31 ms, about 24 days, so a longer wait is split into days.
    const step = Math.min(ms, 24 * 3_600_000);
    this.#timer = setTimeout(() => (ms > step ? this.#renewAfter(ms - step) : void this.#renew()), step);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const { names, lifetimeMs, spreadMs, trust, report } = this.#settings;
    const { authority, ...pair } = issueCertificate(names, lifetimeMs);
    try {
      await trust(authority);
    } catch (error) {
      report(`the certificate was not renewed: ${error instanceof Error ? error.message : String(error)}`);
      if (!this.#isClosed) this.#renewAfter(Math.min(RETRY_MS, lifetimeMs / 10));
      return;
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.pair = pair;
      this.onReplaced?.(pair);
      report('the certificate was renewed');
      this.#renewAfter(this.#renewalMs);
    }, spreadMs);
    this.#timer.unref();
  }
}
