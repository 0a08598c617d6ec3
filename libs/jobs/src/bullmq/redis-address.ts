import { readFileSync } from 'node:fs';

/** Host and port of a Redis process. */
interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Credentials and TLS settings of a connection to Redis. */
interface RedisAccess {
  /** ACL user. Undefined for the default user. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** TLS settings. Undefined if the connection is not encrypted. If `ca` is missing, the certificate authorities of Node are trusted. */
  readonly tls: RedisTls | undefined;
}

/** PEM texts for TLS connections to Redis. */
interface RedisTls {
  /** Certificates of the trusted certificate authorities. */
  readonly ca?: string;
  /** Client certificate, for a Redis that requires one. */
  readonly cert?: string;
  readonly key?: string;
}

/** Address of a Redis, with credentials and TLS settings. It is read from a URL and from the files that the settings name. */
export type RedisAddress = RedisAccess &
  (
    | { readonly kind: 'server'; readonly nodes: readonly [RedisNode]; readonly db: number }
    /**
     * Address of a Redis behind Sentinels, which know who is the master. User and password are those of Redis; the Sentinels may require a
     * different password (`sentinelPassword`).
     */
    | {
        readonly kind: 'sentinel';
        readonly nodes: readonly RedisNode[];
        readonly master: string;
        readonly db: number;
        readonly sentinelPassword: string | undefined;
      }
    /** Address of a Redis cluster: some of its nodes, which name the other nodes. */
    | { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] }
  );

/** Result of reading a URL: the address, or the problem in the URL. */
export type ReadAddress = { readonly ok: true; readonly address: RedisAddress } | { readonly ok: false; readonly problem: string };

const SHAPE = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^?#]*))?$/;
const FORMS =
  'redis://[user:password@]host[:port][/db], redis+sentinel://[user:password@]host:port,host:port/master[/db] or redis+cluster://[user:password@]host:port,host:port; rediss for TLS';
const DEFAULT_PORTS = { server: 6379, sentinel: 26379, cluster: 6379 } as const;

/**
 * Reads the address of a Redis from a URL. The problem text may list the allowed forms of a URL. It never repeats the URL, which may
 * contain a password.
 */
export function readRedisAddress(text: string): ReadAddress {
  const parts = SHAPE.exec(text);
  if (!parts) return problem(`must have the form ${FORMS}`);
  const [, scheme, sort, user, hosts = '', path = ''] = parts;
  const kind = sort === 'sentinel' || sort === 'cluster' ? sort : 'server';
  const access = accessOf(user, scheme === 'rediss');
  const nodes = hosts.split(',').map((host) => nodeOf(host, DEFAULT_PORTS[kind]));
  const known = nodes.filter((node) => node !== undefined);
  const [first] = known;
  if (!access) return problem('user and password must be percent-encoded');
  if (known.length < nodes.length || !first) return problem(`must name hosts as host[:port]; the form is ${FORMS}`);
  if (kind === 'cluster')
    return path === '' ? found({ ...access, kind, nodes: known }) : problem('a cluster has no databases to choose from');
  const [master = '', db = ''] = kind === 'sentinel' ? path.split('/') : ['', path];
  if (!/^\d{0,5}$/.test(db)) return problem('the database must be a number');
  if (kind === 'sentinel')
    return master === ''
      ? problem('must name the master that the sentinels watch')
      : found({ ...access, kind, nodes: known, master, db: Number(db), sentinelPassword: undefined });
  return nodes.length === 1
    ? found({ ...access, kind, nodes: [first], db: Number(db) })
    : problem('several hosts need redis+sentinel:// or redis+cluster://');
}

/** Returns the URL of an address without user and password, for the log. */
export function redisAddressText(address: RedisAddress): string {
  const { kind, nodes, tls } = address;
  const hosts = nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  const path = kind === 'sentinel' ? `/${address.master}/${address.db}` : kind === 'server' ? `/${address.db}` : '';
  return `${tls === undefined ? 'redis' : 'rediss'}${kind === 'server' ? '' : `+${kind}`}://${hosts}${path}`;
}

const found = (address: RedisAddress): ReadAddress => ({ ok: true, address });
const problem = (words: string): ReadAddress => ({ ok: false, problem: words });

function accessOf(user: string | undefined, encrypted: boolean): RedisAccess | undefined {
  const colon = user?.indexOf(':') ?? -1;
  try {
    const [username, password] =
      user === undefined
        ? []
        : colon < 0
          ? [decodeURIComponent(user)]
          : [decodeURIComponent(user.slice(0, colon)), decodeURIComponent(user.slice(colon + 1))];
    return {
      username: username === '' ? undefined : username,
      password: password === '' ? undefined : password,
      tls: encrypted ? {} : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Parses `host`, `host:port` or `[v6]:port`. Returns undefined if the text is invalid. */
function nodeOf(text: string, defaultPort: number): RedisNode | undefined {
  const [, v6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  const number = port === undefined ? defaultPort : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number };
}

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
