import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readRedisAddress } from './redis-address.ts';
import type { RedisAddress, RedisTls } from './redis-address.ts';

/**
 * Settings that describe the connection to Redis. Every process of an installation needs the same settings. Secrets are read from files,
 * not from environment variables.
 */
export const redisSettings = {
  ASSAY_REDIS_PASSWORD_FILE: z.string().optional().describe('File with the password of Redis, instead of a password in the URL'),
  ASSAY_REDIS_SENTINEL_PASSWORD_FILE: z.string().optional().describe('File with the password of the sentinels, if they need one'),
  ASSAY_REDIS_CA_FILE: z
    .string()
    .optional()
    .describe(
      'File with the PEM certificates to trust for a rediss URL. Without this file, the service trusts the certificates that Node trusts',
    ),
  ASSAY_REDIS_CERT_FILE: z
    .string()
    .optional()
    .describe('File with the PEM certificate chain that the service sends to Redis, if Redis demands client certificates'),
  ASSAY_REDIS_KEY_FILE: z.string().optional().describe('File with the PEM private key of the certificate in ASSAY_REDIS_CERT_FILE'),
};

/** Allowed forms of the URL of Redis, for the description of a setting. */
export const REDIS_URL_FORMS =
  '`redis://`, `rediss://` (TLS), `redis+sentinel://a:26379,b:26379/master` or `redis+cluster://a:6379,b:6379`';

type RedisVariables = { readonly [Name in keyof typeof redisSettings]?: z.output<(typeof redisSettings)[Name]> | undefined };

/**
 * Returns the address of Redis with its password and certificates. `url` is the URL of Redis, and `variables` contains the paths of the
 * files with passwords and certificates. Throws an error that names the invalid setting and never contains a secret.
 */
export function redisAddressOf(url: string, variables: RedisVariables = {}): RedisAddress {
  const read = readRedisAddress(url);
  if (!read.ok) throw new Error(`ASSAY_REDIS_URL: ${read.problem}`);
  const { address } = read;
  const secret = (name: keyof RedisVariables): string | undefined => textOf(name, variables[name])?.trim();
  const password = secret('ASSAY_REDIS_PASSWORD_FILE') ?? address.password;
  const sentinelPassword = secret('ASSAY_REDIS_SENTINEL_PASSWORD_FILE');
  const tls = tlsOf(variables);
  if (tls && !address.tls) throw new Error('ASSAY_REDIS_URL: certificates are named, so its scheme must be rediss');
  if (sentinelPassword !== undefined && address.kind !== 'sentinel')
    throw new Error('ASSAY_REDIS_SENTINEL_PASSWORD_FILE: ASSAY_REDIS_URL names no sentinels');
  const access = { password, tls: address.tls && (tls ?? {}) };
  return address.kind === 'sentinel' ? { ...address, ...access, sentinelPassword } : { ...address, ...access };
}

function tlsOf(variables: RedisVariables): RedisTls | undefined {
  const ca = textOf('ASSAY_REDIS_CA_FILE', variables.ASSAY_REDIS_CA_FILE);
  const cert = textOf('ASSAY_REDIS_CERT_FILE', variables.ASSAY_REDIS_CERT_FILE);
  const key = textOf('ASSAY_REDIS_KEY_FILE', variables.ASSAY_REDIS_KEY_FILE);
  if ((cert === undefined) !== (key === undefined))
    throw new Error('ASSAY_REDIS_CERT_FILE and ASSAY_REDIS_KEY_FILE go together; one is missing');
  if (ca === undefined && cert === undefined) return undefined;
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

/**
 * Returns the text of a file. Returns undefined if the file name is undefined or empty, because a Compose file passes an empty name for an
 * unset file.
 */
function textOf(variable: string, file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${variable}: ${file} cannot be read`, { cause: error });
  }
}
