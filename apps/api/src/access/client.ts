import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import type { AccessKey } from './access-keys.ts';

/** What one client may ask for at most. */
export interface ClientLimits {
  /** Objects a request; Infinity when only bytes bound them. */
  readonly maxItems: number;
  /** Bytes of a body that is read whole. */
  readonly maxBodyBytes: number;
  /** Bytes of an NDJSON body. */
  readonly maxStreamBytes: number;
  /** Cost limits above the server's are permitted. */
  readonly allowUnlimited: boolean;
}

/** Who sent a request. */
export interface Client {
  /** The name of the key; undefined where the service asks for none. */
  readonly name: string | undefined;
  readonly flow: string | undefined;
  readonly limits: ClientLimits;
}

/** Everyone, where the service asks for no key. */
export function anyone(config: ApiConfig): Client {
  return { name: undefined, flow: undefined, limits: limitsOf(config) };
}

/** Who holds a key: its limits where it has some, else the service's. */
export function holderOf(key: AccessKey, config: ApiConfig): Client {
  const { maxItems, maxBodyBytes, maxStreamBytes, allowUnlimited } = limitsOf(config);
  return {
    name: key.name,
    flow: key.flow ?? key.name,
    limits: {
      maxItems: key.maxItems ?? maxItems,
      maxBodyBytes: key.maxBodyBytes ?? maxBodyBytes,
      maxStreamBytes: key.maxStreamBytes ?? maxStreamBytes,
      allowUnlimited: key.allowUnlimited ?? allowUnlimited,
    },
  };
}

function limitsOf({ maxItems, maxBodyBytes, maxStreamBytes, allowUnlimited }: ApiConfig): ClientLimits {
  return { maxItems: maxItems ?? Infinity, maxBodyBytes, maxStreamBytes, allowUnlimited };
}

const clients = new WeakMap<FastifyRequest, Client>();

/** Remembers who sent a request. */
export function rememberClient(request: FastifyRequest, client: Client): void {
  clients.set(request, client);
}

/** Who sent a request, as the access hook found. */
export function clientOf(request: FastifyRequest): Client {
  const client = clients.get(request);
  if (!client) throw new Error('the request passed no access check');
  return client;
}
