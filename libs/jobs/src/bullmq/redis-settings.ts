import { readFileSync } from 'node:fs';
import { readRedisAddress } from './redis-address.ts';
import type { RedisAddress, RedisTls } from './redis-address.ts';

/**
 * Paths of the files of a connection to Redis. Every process of an installation needs the same files. Secrets are read from files, not from
 * environment variables.
 */
interface RedisFiles {
  readonly password?: string | undefined;
  readonly sentinelPassword?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Returns the address of Redis with its password and certificates. `url` is the URL of Redis, and `files` contains the paths of the files
 * with passwords and certificates. Throws an error that names the invalid setting and never contains a secret.
 */
export function redisAddressOf(url: string, files: RedisFiles = {}): RedisAddress {
  const read = readRedisAddress(url);
  if (!read.ok) throw new Error(`ASSAY_REDIS_URL: ${read.problem}`);
  const { address } = read;
  const password = textOf('ASSAY_REDIS_PASSWORD_FILE', files.password)?.trim() ?? address.password;
  const sentinelPassword = textOf('ASSAY_REDIS_SENTINEL_PASSWORD_FILE', files.sentinelPassword)?.trim();
  const tls = tlsOf(files);
  if (tls && !address.tls) throw new Error('ASSAY_REDIS_URL: certificates are named, so its scheme must be rediss');
  if (sentinelPassword !== undefined && address.kind !== 'sentinel')
    throw new Error('ASSAY_REDIS_SENTINEL_PASSWORD_FILE: ASSAY_REDIS_URL names no sentinels');
  const access = { password, tls: address.tls && (tls ?? {}) };
  return address.kind === 'sentinel' ? { ...address, ...access, sentinelPassword } : { ...address, ...access };
}

function tlsOf(files: RedisFiles): RedisTls | undefined {
  const ca = textOf('ASSAY_REDIS_CA_FILE', files.ca);
  const cert = textOf('ASSAY_REDIS_CERT_FILE', files.cert);
  const key = textOf('ASSAY_REDIS_KEY_FILE', files.key);
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
