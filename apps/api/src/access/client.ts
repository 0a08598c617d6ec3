import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import type { Flow } from '#queue';
import { RequestValue } from '../request-value.ts';
import type { AccessKey } from './access-keys.ts';
import { flowOfAddress, flowOfKey, flowOfName } from './flow.ts';
import { DEFAULT_ROLES } from './roles.ts';
import type { Role } from './roles.ts';

/** Objects of a body that is read whole, where nothing else is set: their verdicts, some 300 bytes each, fit into an answer. */
const DEFAULT_MAX_ITEMS = 100_000;

/** The bounds of one client. */
export interface ClientLimits {
  /** Objects of a body that is read whole. */
  readonly maxItems: number;
  /** Objects of an NDJSON body; Infinity when only bytes bound them. */
  readonly maxStreamItems: number;
  /** Bytes of a body that is read whole. */
  readonly maxBodyBytes: number;
  /** Bytes of an NDJSON body. */
  readonly maxStreamBytes: number;
  /** Cost limits above the server's are permitted. */
  readonly allowUnlimited: boolean;
  /** CEL cost units an evaluation; Infinity: not bounded. */
  readonly maxEvaluationCost: number;
  /** Thread time that its studies may have each day, ms. */
  readonly benchmarkMs: number;
}

/** The sender of a request. */
export interface Client {
  /** The name of the key; undefined where the service asks for none. */
  readonly name: string | undefined;
  /** The flow with whose work its evaluations are scheduled. */
  readonly flow: Flow;
  readonly limits: ClientLimits;
  readonly roles: ReadonlySet<Role>;
}

/** The roles of everyone, if the service asks for no identity: nobody operates others' evaluations. */
const ANYONE: ReadonlySet<Role> = new Set(['evaluate', 'benchmark', 'scrape']);

/** Returns the client at an address, if the service asks for no key. */
export function anyoneAt(address: string, config: ApiConfig): Client {
  return { name: undefined, flow: flowOfAddress(address, config), limits: limitsOf(config), roles: ANYONE };
}

/** Returns the client that proved a name by a token or a certificate. It has the limits of the service, and a separate flow. */
export function namedClient(name: string, roles: readonly Role[], config: ApiConfig): Client {
  return { name, flow: flowOfName(name, config), limits: limitsOf(config), roles: new Set(roles) };
}

/** Returns true if a client may read and cancel the evaluations and studies of an owner: its own, or, as an operator, everyone's. */
export function mayRead({ name, roles }: Client, owner: string | undefined): boolean {
  return owner === name || roles.has('operate');
}

/** Returns the holder of a key, with the key's limits, else the service's. */
export function holderOf(key: AccessKey, config: ApiConfig): Client {
  const { maxItems, maxStreamItems, maxBodyBytes, maxStreamBytes, allowUnlimited, maxEvaluationCost, benchmarkMs } = limitsOf(config);
  return {
    name: key.name,
    flow: flowOfKey(key, config),
    roles: new Set(key.roles ?? DEFAULT_ROLES),
    limits: {
      maxItems: key.maxItems ?? maxItems,
      maxStreamItems: key.maxItems ?? maxStreamItems,
      maxBodyBytes: key.maxBodyBytes ?? maxBodyBytes,
      maxStreamBytes: key.maxStreamBytes ?? maxStreamBytes,
      allowUnlimited: key.allowUnlimited ?? allowUnlimited,
      maxEvaluationCost: key.maxEvaluationCost ?? maxEvaluationCost,
      benchmarkMs: key.benchmarkMinutes === undefined ? benchmarkMs : key.benchmarkMinutes * 60_000,
    },
  };
}

function limitsOf({ maxItems, maxBodyBytes, maxStreamBytes, allowUnlimited, maxEvaluationCost, benchmarkMs }: ApiConfig): ClientLimits {
  return {
    maxItems: maxItems ?? DEFAULT_MAX_ITEMS,
    maxStreamItems: maxItems ?? Infinity,
    maxBodyBytes,
    maxStreamBytes,
    allowUnlimited,
    maxEvaluationCost: maxEvaluationCost ?? Infinity,
    benchmarkMs,
  };
}

/** Returns the client with its flow divided as the request asks. */
export function divided(client: Client, division: string): Client {
  return division === '' ? client : { ...client, flow: { ...client.flow, division } };
}

const clients = new RequestValue<Client>('client');

/** Remembers who sent a request. */
export function rememberClient(request: FastifyRequest, client: Client): void {
  clients.set(request, client);
}

/** Returns the sender of a request; undefined if it is not known. */
export function knownClientOf(request: FastifyRequest): Client | undefined {
  return clients.get(request);
}

/** Returns a test of owners whose evaluations the sender of a request may read ({@link mayRead}). */
export const readableBy =
  (request: FastifyRequest) =>
  (owner: string | undefined): boolean =>
    mayRead(clientOf(request), owner);

/** Returns the sender of a request, whom the access hook found. */
export function clientOf(request: FastifyRequest): Client {
  const client = clients.get(request);
  if (!client) throw new Error('the request passed no access check');
  return client;
}
