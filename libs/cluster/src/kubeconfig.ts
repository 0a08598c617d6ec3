import { readFileSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ClusterAddress, Credentials } from './address.ts';
import { read, unread } from './reading.ts';
import type { ClusterReading } from './reading.ts';
import { isIPv6 } from 'node:net';

const text = z.string().optional();
const named = <Key extends string, Value extends z.ZodType>(key: Key, value: Value) =>
  z
    .array(
      z.object({ name: z.string(), [key]: value.nullish() } as { name: z.ZodString } & Record<Key, z.ZodOptional<z.ZodNullable<Value>>>),
    )
    .nullish();

const cluster = z.object({
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'proxy-url': text,
});
const user = z.object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-groups': z.array(z.string()).nullish(),
  'auth-provider': z.object({ name: z.string() }).nullish(),
  exec: z
    .object({
      apiVersion: z.string(),
      command: z.string().min(1),
      args: z.array(z.string()).nullish(),
      env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
    })
    .nullish(),
});
const context = z.object({ cluster: z.string(), user: z.string().optional() });
/** Schema of the part of a kubeconfig that is needed to reach a server. Source: client-go v0.37, tools/clientcmd/api/v1/types.go. */
const kubeconfig = z.object({
  'current-context': text,
  clusters: named('cluster', cluster),
  users: named('user', user),
  contexts: named('context', context),
});

/** Options that select a cluster. Without them, kubectl's current choice applies. */
export interface ClusterChoice {
  /**
   * Path of a kubeconfig. By default, the files in KUBECONFIG or ~/.kube/config are used. If there is no such file, the service account of
   * this process's pod is used.
   */
  readonly kubeconfig?: string | undefined;
  /** Name of a context in the kubeconfig. The default is its current context. */
  readonly context?: string | undefined;
  /**
   * True if programs that the kubeconfig names may be run to obtain credentials. If it is false (default), a context that needs such a
   * program is an error.
   */
  readonly allowExec?: boolean;
}

/**
 * Returns the address of the chosen cluster. Kubeconfigs are merged as kubectl merges them: the first file that contains a name takes
 * precedence, and missing files of KUBECONFIG are skipped. Source: client-go v0.37, tools/clientcmd/loader.go and client_config.go.
 */
export function findCluster({ kubeconfig: file, context: wanted, allowExec = false }: ClusterChoice): ClusterReading<ClusterAddress> {
  const { KUBECONFIG = '' } = process.env;
  const files =
    file !== undefined ? [file] : KUBECONFIG !== '' ? KUBECONFIG.split(delimiter).filter(Boolean) : [join(homedir(), '.kube', 'config')];
  const configs: Config[] = [];
  for (const name of files) {
    const reading = readConfig(name, file !== undefined);
    if (!reading.ok) return reading;
    if (reading.value !== undefined) configs.push(reading.value);
  }
  if (configs.length === 0) {
    const inside = wanted === undefined ? inClusterAddress() : undefined;
    return inside ?? unread('config', `no kubeconfig was found (${files.join(', ')}), and this is no pod of a cluster`);
  }
  return addressIn(merged(configs), wanted, allowExec);
}

interface Config {
  readonly current: string | undefined;
  readonly clusters: ReadonlyMap<string, Located<z.infer<typeof cluster>>>;
  readonly users: ReadonlyMap<string, Located<z.infer<typeof user>>>;
  readonly contexts: ReadonlyMap<string, Located<z.infer<typeof context>>>;
}

/** Entry of a kubeconfig, with the folder that its relative paths refer to. */
interface Located<Entry> {
  readonly entry: Entry;
  readonly folder: string;
}

/** Reads a kubeconfig. Returns undefined if the file does not exist and `required` is false. */
function readConfig(file: string, required: boolean): ClusterReading<Config | undefined> {
  let parsed;
  try {
    parsed = kubeconfig.safeParse(parse(readFileSync(file, 'utf8')) ?? {});
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && !required) return read(undefined);
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return unread('config', `the kubeconfig ${file} ${isMissing ? 'is not there' : `cannot be read: ${why}`}`);
  }
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unread('config', `the kubeconfig ${file} is none: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const folder = dirname(resolve(file));
  const { data } = parsed;
  const located = <Entry>(entries: readonly (readonly [string, Entry | null | undefined])[]): Map<string, Located<Entry>> =>
    new Map(entries.flatMap(([name, entry]) => (entry ? [[name, { entry, folder }] as const] : [])));
  return read({
    current: data['current-context'],
    clusters: located((data.clusters ?? []).map((one) => [one.name, one.cluster])),
    users: located((data.users ?? []).map((one) => [one.name, one.user])),
    contexts: located((data.contexts ?? []).map((one) => [one.name, one.context])),
  });
}

function merged(configs: readonly Config[]): Config {
  const first = configs.toReversed();
  return {
    current: configs.find(({ current }) => current !== undefined && current !== '')?.current,
    clusters: new Map(first.flatMap(({ clusters }) => [...clusters])),
    users: new Map(first.flatMap(({ users }) => [...users])),
    contexts: new Map(first.flatMap(({ contexts }) => [...contexts])),
  };
}

function addressIn(
  { current, clusters, users, contexts }: Config,
  wanted: string | undefined,
  allowExec: boolean,
): ClusterReading<ClusterAddress> {
  const name = wanted ?? current;
  const known = [...contexts.keys()].join(', ') || 'none';
  if (name === undefined || name === '')
    return unread('config', `the kubeconfig has no current context: name one of ${known} with --context`);
  const chosen = contexts.get(name)?.entry;
  if (chosen === undefined) return unread('config', `the kubeconfig has no context ${name}; it has ${known}`);
  const { cluster: clusterName, user: userName = '' } = chosen;
  const found = clusters.get(clusterName);
  const server = found?.entry.server;
  if (found === undefined || server === undefined || !URL.canParse(server))
    return unread('config', `context ${name}: the kubeconfig has no server for its cluster ${clusterName}`);
  const account = users.get(userName);
  if (userName !== '' && account === undefined) return unread('config', `context ${name}: the kubeconfig has no user ${userName}`);
  const { entry: who = {}, folder = '' } = account ?? {};
  if (who['auth-provider'])
    return unread(
      'config',
      `context ${name}: auth-provider ${who['auth-provider'].name} is not supported, as in kubectl since 1.26; use exec`,
    );
  if (who.exec && !allowExec)
    return unread('config', `context ${name} runs the program ${who.exec.command} for credentials; --allow-exec permits it`);
  try {
    return read({
      name,
      server: new URL(server.endsWith('/') ? server : `${server}/`),
      tls: tlsOf(found, { entry: who, folder }),
      proxy: found.entry['proxy-url'],
      credentials: credentialsOf(who, folder),
      impersonation: impersonationOf(who),
    });
  } catch (error) {
    return unread('config', `context ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function tlsOf({ entry, folder }: Located<z.infer<typeof cluster>>, who: Located<z.infer<typeof user>>): ClusterAddress['tls'] {
  const ca = contentOf(entry, 'certificate-authority', folder);
  const cert = contentOf(who.entry, 'client-certificate', who.folder);
  const key = contentOf(who.entry, 'client-key', who.folder);
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(entry['tls-server-name'] !== undefined && { servername: entry['tls-server-name'] }),
    ...(entry['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
  };
}

/**
 * Returns the content of a kubeconfig field such as `client-key`; undefined if the field is absent. Data in the kubeconfig itself takes
 * precedence over a file that the field names. Throws if this file cannot be read.
 */
function contentOf<Key extends string>(
  entry: { readonly [Part in Key | `${Key}-data`]?: string | undefined },
  key: Key,
  folder: string,
): Buffer | undefined {
  const data = entry[`${key}-data`];
  if (data) return Buffer.from(data, 'base64');
  const file = entry[key];
  if (!file) return undefined;
  const path = resolve(folder, file);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${key} ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`, { cause: error });
  }
}

function credentialsOf({ token, tokenFile, username, password = '', exec }: z.infer<typeof user>, folder: string): Credentials {
  if (tokenFile) return { kind: 'tokenFile', file: resolve(folder, tokenFile) };
  if (token) return { kind: 'token', token };
  if (username) return { kind: 'password', username, password };
  if (!exec) return { kind: 'none' };
  const { apiVersion, command, args, env } = exec;
  // A path is relative to the kubeconfig. A plain name is searched in PATH.
  const path = command.includes('/') ? resolve(folder, command) : command;
  return { kind: 'program', program: { apiVersion, command: path, args: args ?? [], env: env ?? [] } };
}

function impersonationOf({ as, 'as-groups': groups }: z.infer<typeof user>): ClusterAddress['impersonation'] {
  return { ...(as && { 'Impersonate-User': as }), ...(groups && groups.length > 0 && { 'Impersonate-Group': groups }) };
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the address of the cluster that runs this process in a pod, with the credentials of the pod's service account. Returns undefined
 * outside a pod. Source: client-go v0.37, rest/config.go `InClusterConfig`.
 */
function inClusterAddress(folder = ACCOUNT): ClusterReading<ClusterAddress> | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const tokenFile = join(folder, 'token');
  if (!host || !port || !existsSync(tokenFile)) return undefined;
  try {
    return read({
      name: 'in-cluster',
      server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}/`),
      tls: { ca: readFileSync(join(folder, 'ca.crt')) },
      proxy: undefined,
      credentials: { kind: 'tokenFile', file: tokenFile },
      impersonation: {},
    });
  } catch (error) {
    return unread('config', `the account of this pod cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
