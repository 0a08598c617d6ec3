import { createSecureContext } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { readNamedFile } from './settings/setting.ts';

/**
 * Paths of the PEM files of a TLS server. If `clientCa` is set, clients must present a certificate that an authority in this file signed.
 */
export interface TlsFiles {
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly clientCa: string | undefined;
}

/**
 * Reads and checks the TLS files; returns undefined if no file is configured. Throws an error that names the environment variable if a file
 * is missing or invalid. The service then does not start without encryption.
 */
export function readTls({ cert, key, clientCa }: TlsFiles): TlsOptions | undefined {
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new Error('ASSAY_TLS_CERT_FILE and ASSAY_TLS_KEY_FILE go together; one is missing');
  const options: TlsOptions = {
    cert: readNamedFile('ASSAY_TLS_CERT_FILE', cert),
    key: readNamedFile('ASSAY_TLS_KEY_FILE', key),
    minVersion: 'TLSv1.2',
    ...(clientCa !== undefined && { ca: readNamedFile('ASSAY_TLS_CLIENT_CA_FILE', clientCa), requestCert: true, rejectUnauthorized: true }),
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new Error('ASSAY_TLS_CERT_FILE, ASSAY_TLS_KEY_FILE: not a certificate and its key', { cause: error });
  }
  return options;
}
