import type { FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import type { Flow } from '#runner/flow';
import { RequestValue } from '../request-span.ts';
import type { AccessKey, Role } from './access-keys.ts';
import { flowOfAddress, flowOfKey, flowOfName } from './flow.ts';
import { DEFAULT_ROLES } from './access-keys.ts';

/**
 * Default maximum number of objects in a request body that the service reads whole, not as a stream. The verdicts on this many objects, at
 * about 300 bytes each, fit into one answer.
 */
const DEFAULT_MAX_ITEMS = 100_000;

/** Limits that apply to one client. */
export interface ClientLimits {
  /** Maximum number of objects in a request body that the service reads whole, not as a stream. */
  readonly maxItems: number;
  /** Maximum number of objects in an NDJSON body; Infinity if only the byte limit applies. */
  readonly maxStreamItems: number;
  /** Maximum size, in bytes, of a request body that the service reads whole, not as a stream. */
  readonly maxBodyBytes: number;
  /** Maximum size of an NDJSON body, in bytes. */
  readonly maxStreamBytes: number;
  /** True if the client may request cost limits above the limits of the server. */
  readonly allowUnlimited: boolean;
  /** Maximum CEL cost of one evaluation, in cost units; Infinity if there is no limit. */
  readonly maxEvaluationCost: number;
  /** Thread time that the studies of the client may use per day, in ms. */
  readonly benchmarkMs: number;
}

/** Client that sends a request: its name, scheduling flow, limits and roles. */
export interface Client {
  /** Name of the access key or proven identity; undefined if the service requires no identity. */
  readonly name: string | undefined;
  /** Flow in which the service schedules the evaluations of this client. */
  readonly flow: Flow;
  readonly limits: ClientLimits;
  readonly roles: ReadonlySet<Role>;
}

/**
 * Roles of every client if the service requires no identity. The role `operate` is missing, so no client can read or cancel evaluations
 * that have a named owner.
 */
const ANYONE: ReadonlySet<Role> = new Set(['evaluate', 'benchmark', 'scrape']);

/**
 * Returns the client for a request without identity, if the service requires no identity. The IP address `address` identifies
 * the client.
 */
export function anyoneAt(address: string, config: ApiConfig): Client {
  return { name: undefined, flow: flowOfAddress(address, config), limits: limitsOf(config), roles: ANYONE };
}

/**
 * Returns the client for a name that a token or a certificate proved. The client has the limits of the service and its own {@link Flow}.
 */
export function namedClient(name: string, roles: readonly Role[], config: ApiConfig): Client {
  return { name, flow: flowOfName(name, config), limits: limitsOf(config), roles: new Set(roles) };
}

/**
 * Returns true if a client may read and cancel the evaluations and studies of `owner`. The client must be the owner or have the role
 * `operate`.
 */
export function mayRead({ name, roles }: Client, owner: string | undefined): boolean {
  return owner === name || roles.has('operate');
}

/** Returns the client that holds an access key. A limit that the key does not set has the value from the service's configuration. */
export function clientOfKey(key: AccessKey, config: ApiConfig): Client {
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

/**
 * Returns a copy of the client with the given division. Clients use divisions to split their {@link Flow} into parts that share the flow's
 * threads fairly. Returns the same client if `division` is empty.
 */
export function divided(client: Client, division: string): Client {
  return division === '' ? client : { ...client, flow: { ...client.flow, division } };
}

const clients = new RequestValue<Client>('client');

/** Stores the client that sent a request. */
export function rememberClient(request: FastifyRequest, client: Client): void {
  clients.set(request, client);
}

/** Returns the client that sent a request; undefined if no client is stored for the request. */
export function knownClientOf(request: FastifyRequest): Client | undefined {
  return clients.get(request);
}

/** Returns a predicate that is true if the sender of `request` may read the evaluations of a given owner ({@link mayRead}). */
export const readableBy =
  (request: FastifyRequest) =>
  (owner: string | undefined): boolean =>
    mayRead(clientOf(request), owner);

/** Returns the client that the access hook stored for a request. Throws if no client is stored. */
export function clientOf(request: FastifyRequest): Client {
  const client = clients.get(request);
  if (!client) throw new Error('the request passed no access check');
  return client;
}
