import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { UsageError } from '../../usage.ts';
import { issueCertificate } from './issue-certificate.ts';
import type { CertificatePair } from './issue-certificate.ts';

/** The certificate that a guard shows, which may be replaced while it serves. */
export interface ServingCertificate {
  readonly pair: CertificatePair;
  /** Called with each pair that comes after, until it is closed. */
  onReplaced: ((pair: CertificatePair) => void) | undefined;
  close(): void;
}

/** Files of a certificate and its key, PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** The period in which files of the certificate are read, ms: mounted secrets change without an event. */
const RELOAD_MS = 2_000;

/** A certificate of files, read again when they change. One that is being replaced may be half there: the old one stays until both parts fit. */
export class FileCertificate implements ServingCertificate {
  pair: CertificatePair;
  onReplaced: ServingCertificate['onReplaced'];
  readonly #files: CertificateFiles;
  readonly #report: (sentence: string) => void;

  /** Throws {@link UsageError} for files that hold no certificate and its key. */
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

function readFiles({ cert, key }: CertificateFiles): CertificatePair {
  try {
    const pair = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new UsageError(`${cert}, ${key}: no certificate and its key: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Settings of made certificates. */
export interface SelfMadeSettings {
  /** DNS names and addresses of the server. */
  readonly names: readonly string[];
  /** The life of each, ms. The next one is made after two thirds of it. */
  readonly lifetimeMs: number;
  /** From telling servers of a new authority to showing what it signed, ms. */
  readonly spreadMs: number;
  /** Makes callers trust an authority (PEM). Rejects if it fails. */
  readonly trust: (authority: string) => Promise<void>;
  readonly report: (sentence: string) => void;
}

/** A month: pods are replaced more often than that, and what a pod leaves behind is not trusted for long. */
export const LIFETIME_MS = 30 * 24 * 3_600_000;
/** API servers hear of a changed webhook in a second or two. */
export const SPREAD_MS = 10_000;
/** A renewal that failed is tried again after this, ms. */
const RETRY_MS = 60_000;

/** A certificate that is made here, by an authority of its own, and again before it ends. */
export class SelfMadeCertificate implements ServingCertificate {
  pair: CertificatePair;
  onReplaced: ServingCertificate['onReplaced'];
  readonly #settings: SelfMadeSettings;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(settings: SelfMadeSettings, pair: CertificatePair) {
    this.#settings = settings;
    this.pair = pair;
    this.#renewAfter(this.#patience);
  }

  /** Makes the first one. Resolves when its authority is trusted, rejects where that fails. */
  static async start(settings: SelfMadeSettings): Promise<SelfMadeCertificate> {
    const { authority, ...pair } = issueCertificate(settings.names, settings.lifetimeMs);
    await settings.trust(authority);
    return new SelfMadeCertificate(settings, pair);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get #patience(): number {
    return (this.#settings.lifetimeMs * 2) / 3;
  }

  #renewAfter(ms: number): void {
    // Timers count milliseconds in 31 bits, which is 24 days: a longer wait is cut into days.
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
      this.#renewAfter(this.#patience);
    }, spreadMs);
    this.#timer.unref();
  }
}
