import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** True if this machine can create certificates. */
export const canSign = spawnSync('openssl', ['version']).status === 0;
if (!canSign) console.warn('openssl is not on PATH: no certificate can be made, TLS is not tested (Debian package openssl)');

/** Paths of the PEM files of a key and its certificate. */
export interface KeyFiles {
  readonly key: string;
  readonly cert: string;
}

/** Creates a key and a self-signed certificate in a folder. */
export function selfSigned(folder: string, name: string, subjectText = '/CN=localhost'): KeyFiles {
  const made = { key: join(folder, `${name}.key`), cert: join(folder, `${name}.crt`) };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', subjectText, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const { status, stderr } = spawnSync('openssl', [
    'req',
    '-x509',
    ...curve,
    '-keyout',
    made.key,
    '-out',
    made.cert,
    '-days',
    '2',
    ...subject,
  ]);
  if (status !== 0) throw new Error(String(stderr));
  return made;
}
