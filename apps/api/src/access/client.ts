import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import type { Flow } from '#queue';
import type { AccessKey } from './access-keys.ts';
import { flowOfAddress, flowOfKey } from './flow.ts';

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
  /** CEL cost units an evaluation; Infinity: not bounded. */
  readonly maxEvaluationCost: number;
}

/** Who sent a request. */
export interface Client {
  /** The name of the key; undefined where the service asks for none. */
  readonly name: string | undefined;
  /** With whose work its evaluations are scheduled. */
  readonly flow: Flow;
  readonly limits: ClientLimits;
}

/** Who comes from an address, where the service asks for no key. */
export function anyoneAt(address: string, config: ApiConfig): Client {
  return { name: undefined, flow: flowOfAddress(address, config), limits: limitsOf(config) };
}

/** Who holds a key: its limits where it has some, else the service's. */
export function holderOf(key: AccessKey, config: ApiConfig): Client {
  const { maxItems, maxBodyBytes, maxStreamBytes, allowUnlimited, maxEvaluationCost } = limitsOf(config);
  return {
    name: key.name,
    flow: flowOfKey(key, config),
    limits: {
      maxItems: key.maxItems ?? maxItems,
      maxBodyBytes: key.maxBodyBytes ?? maxBodyBytes,
      maxStreamBytes: key.maxStreamBytes ?? maxStreamBytes,
      allowUnlimited: key.allowUnlimited ?? allowUnlimited,
      maxEvaluationCost: key.maxEvaluationCost ?? maxEvaluationCost,
    },
  };
}

function limitsOf({ maxItems, maxBodyBytes, maxStreamBytes, allowUnlimited, maxEvaluationCost }: ApiConfig): ClientLimits {
  return { maxItems: maxItems ?? Infinity, maxBodyBytes, maxStreamBytes, allowUnlimited, maxEvaluationCost: maxEvaluationCost ?? Infinity };
}

/** The client with its flow divided as the request asks. */
export function divided(client: Client, division: string): Client {
  return division === '' ? client : { ...client, flow: { ...client.flow, division } };
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
