import { randomUUID, createHash } from 'node:crypto';
import type { QueueLimits } from '../limits.ts';
import { Listeners } from '../listeners.ts';
import type { EndedJob } from '../ports.ts';
import { Sealing } from '../at-rest/sealing.ts';
import type { Connection, RedisConnections } from './connections.ts';
import { Keys } from './keys.ts';
import { PROBE, ADD, REPAIR } from './lua/commands.ts';
import { StorageGate } from './storage-gate.ts';
import { steadyNow } from '#documents';
import { isDamage } from '../unavailable.ts';
import type { LuaCommand } from './lua/command.ts';

/** Value that can be passed to a Lua script in Redis: map, list, text, bytes, number or boolean. `undefined` becomes nil in Lua. */
type Packable = string | number | boolean | undefined | Uint8Array | readonly Packable[] | { readonly [field: string]: Packable };

/**
 * Packs arguments as MessagePack for Redis' `cmsgpack`. Bytes are packed as str, which is equivalent in Lua, because `cmsgpack` does not
 * support the type bin. Numbers are packed as float 64, the only number type of Lua. Source: redis 7.0 deps/lua/src/lua_cmsgpack.c
 * mp_decode_to_lua_type.
 */
export function packArguments(value: Packable): Buffer {
  const parts: Uint8Array[] = [];
  pack(value, parts);
  return Buffer.concat(parts);
}

const NIL = Buffer.of(0xc0);
const FALSE = Buffer.of(0xc2);
const TRUE = Buffer.of(0xc3);
/** First bytes of the encodings in which the length of the value follows in 32 bits. */
const STR_32 = 0xdb;
const ARRAY_32 = 0xdd;
const MAP_32 = 0xdf;
const FLOAT_64 = 0xcb;

function pack(value: Packable, parts: Uint8Array[]): void {
  if (value === undefined) parts.push(NIL);
  else if (typeof value === 'boolean') parts.push(value ? TRUE : FALSE);
  else if (typeof value === 'number') parts.push(float(value));
  else if (typeof value === 'string') packBytes(Buffer.from(value), parts);
  else if (value instanceof Uint8Array) packBytes(value, parts);
  else if (isList(value)) {
    parts.push(lengthed(ARRAY_32, value.length));
    for (const element of value) pack(element, parts);
  } else {
    const entries = Object.entries(value);
    parts.push(lengthed(MAP_32, entries.length));
    for (const [field, of] of entries) {
      pack(field, parts);
      pack(of, parts);
    }
  }
}

const isList = (value: object): value is readonly Packable[] => Array.isArray(value);

function packBytes(bytes: Uint8Array, parts: Uint8Array[]): void {
  parts.push(lengthed(STR_32, bytes.length), bytes);
}

function lengthed(first: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(5);
  head[0] = first;
  head.writeUInt32BE(length, 1);
  return head;
}

function float(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = FLOAT_64;
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

/** Shortest time in ms between two repairs by one process. The failed addition of a job is always repaired. */
const REPAIR_PAUSE_MS = 1000;

/** Object type with the fields of an interface. In contrast to the interface, the type is assignable to a map of packable values. */
type Fields<Arguments> = { readonly [Name in keyof Arguments]: Arguments[Name] };

/**
 * Runner of Lua commands, which identifies them by their digests. If the server does not know a digest, because the server is new or was
 * restarted, the text of the command is sent. If a command meets keys that other software damaged, the runner repairs the keys and runs the
 * command again.
 */
class ScriptRunner {
  readonly #redis: Connection;
  readonly #prefix: string;
  readonly #digests = new Map<string, string>();
  readonly #report: (repaired: readonly string[]) => void;
  #repairedAt = -Infinity;

  /**
   * `prefix` is the only Redis key that is passed to a command. The command derives all other keys from this prefix. `report` is called with
   * the damaged keys, and with the ids of the jobs that were lost.
   */
  constructor(redis: Connection, prefix: string, report: (repaired: readonly string[]) => void = () => undefined) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#report = report;
  }

  /** Runs a command and returns its answer as one string. */
  async word<Arguments>(command: LuaCommand<Arguments>, given: Fields<Arguments>): Promise<string> {
    return String(await this.run(command, given));
  }

  /** Runs a command and returns its answer as a list of strings. */
  async words<Arguments>(command: LuaCommand<Arguments>, given: Fields<Arguments>): Promise<readonly string[]> {
    return ((await this.run(command, given)) as readonly unknown[]).map(String);
  }

  /** Runs a command and returns its answer as Redis sends it, with texts as buffers. */
  run<Arguments>(command: LuaCommand<Arguments>, given: Fields<Arguments>): Promise<unknown> {
    // Only one command cannot run again after a partial failure: the first step of a submission (ADD).
    const { id = '', job } = command.name === ADD.name ? (given as { readonly id?: string; readonly job?: unknown }) : {};
    return this.repairing(() => this.#send(command, given), job === undefined ? '' : id);
  }

  /**
   * Runs an action. If the action meets keys that other software damaged, repairs the keys and runs the action again. `id` is the job that
   * the action adds; empty if it adds none.
   */
  async repairing<Answer>(act: () => Promise<Answer>, id = ''): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      if (!isDamage(error) || !(await this.repair(id))) throw error;
      return act();
    }
  }

  /**
   * Repairs the keys that other software damaged. Returns false without a repair if the last one was just before. The failed addition of the
   * job `id` is always repaired.
   */
  async repair(id = ''): Promise<boolean> {
    if (id === '' && steadyNow() - this.#repairedAt < REPAIR_PAUSE_MS) return false;
    this.#repairedAt = steadyNow();
    const repaired = (await this.#send(REPAIR, { id })) as readonly unknown[];
    this.#report(repaired.map(String));
    return true;
  }

  async #send<Arguments>({ name, lua }: LuaCommand<Arguments>, given: Fields<Arguments>): Promise<unknown> {
    const rest = ['1', this.#prefix, packArguments(given as Packable)];
    try {
      return await this.#redis.callBuffer('EVALSHA', this.#digest(name, lua), ...rest);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#redis.callBuffer('EVAL', lua, ...rest);
    }
  }

  #digest(name: string, lua: string): string {
    const known = this.#digests.get(name);
    if (known !== undefined) return known;
    const digest = createHash('sha1').update(lua).digest('hex');
    this.#digests.set(name, digest);
    return digest;
  }
}

/**
 * Interval in ms at which a process that waits for an evaluation reads its state from Redis. This is needed because the Redis message about
 * a change can be lost.
 */
const POLL_MS = 500;

/**
 * Subscriber to the Redis messages in which processes announce changes, such as cancelled evaluations or offered tasks. A message names only
 * what changed. A listener that needs the state must read it.
 */
class Announcements {
  readonly #keys: Keys;
  readonly #subscriber: Connection;
  /** Listeners by channel. */
  readonly #messageListeners = new Map<string, Listeners<[message: string]>>();
  readonly #changeListeners = new Map<string, Set<() => void>>();

  constructor(connections: RedisConnections, keys: Keys) {
    this.#keys = keys;
    this.#subscriber = connections.open('blocking');
    this.#subscriber.on('message', (channel: string, id: string) => this.#onMessage(channel, id));
    // Messages during a lost connection never arrive, so all waiting callers check again.
    this.#subscriber.on('ready', () => this.#wakeAll());
    void this.#subscriber.subscribe(keys.changes).catch(() => undefined);
  }

  onCancelled(listener: (id: string) => void): () => void {
    return this.onMessage(this.#keys.cancellations, listener);
  }

  /** Calls `listener` with each message on a channel. Returns a function that removes the listener. */
  onMessage(channel: string, listener: (message: string) => void): () => void {
    const known = this.#messageListeners.get(channel);
    if (known) return known.add(listener);
    const listeners = new Listeners<[message: string]>();
    this.#messageListeners.set(channel, listeners);
    void this.#subscriber.subscribe(channel).catch(() => undefined);
    return listeners.add(listener);
  }

  /**
   * Calls `listener` on each change of the evaluation with this id, and whenever changes may have been missed. Returns a function that
   * removes the listener.
   */
  onChange(id: string, listener: () => void): () => void {
    const listeners = this.#listenersOf(id);
    listeners.add(listener);
    return () => this.#drop(id, listener);
  }

  /** Resolves at the next change of an evaluation, after {@link POLL_MS}, or when `signal` is aborted. */
  nextChange(id: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#drop(id, wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, POLL_MS);
      this.#listenersOf(id).add(wake);
      if (signal?.aborted) wake();
      else signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Wakes all waiting listeners and disconnects. No message arrives after this call. */
  close(): void {
    this.#wakeAll();
    this.#subscriber.disconnect();
  }

  #listenersOf(id: string): Set<() => void> {
    const listeners = this.#changeListeners.get(id) ?? new Set();
    this.#changeListeners.set(id, listeners);
    return listeners;
  }

  #drop(id: string, listener: () => void): void {
    const listeners = this.#changeListeners.get(id);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#changeListeners.delete(id);
  }

  #onMessage(channel: string, id: string): void {
    if (channel === this.#keys.changes) for (const wake of this.#changeListeners.get(id) ?? []) wake();
    else this.#messageListeners.get(channel)?.notify(id);
  }

  #wakeAll(): void {
    for (const listeners of this.#changeListeners.values()) for (const wake of listeners) wake();
  }
}

/** Parts from which a `RedisStore` is built. */
type StoreParts = Pick<RedisStore, 'redis' | 'announcements' | 'keys' | 'limits'> & {
  readonly sealing?: Sealing | undefined;
  /** Called after a repair, with the names of the repaired keys and the ids of the lost jobs. */
  readonly repaired?: ((names: readonly string[]) => void) | undefined;
};

/** Data and services that all ports over one Redis share: connection, key names, scripts, messages, and the id of this process. */
export class RedisStore {
  readonly keys: Keys;
  readonly limits: QueueLimits;
  readonly redis: Connection;
  readonly scripts: ScriptRunner;
  readonly announcements: Announcements;
  readonly sealing: Sealing;
  /**
   * Gate that client requests must pass, so that they fail fast if Redis is unavailable. The work on jobs does not use the gate, and waits for
   * the server.
   */
  readonly gate: StorageGate;
  /** Listeners to the ends of all jobs, with the ids under which they are stored. */
  readonly ended = new Listeners<[ended: EndedJob]>();
  /** Listeners that are called when this process starts to handle a job. They end the long interval between idle heartbeats. */
  readonly stirred = new Listeners<[]>();
  /** Unique name of this process. It identifies the process that takes tokens of shared rate limits, and that offers tasks. */
  readonly process = randomUUID();

  constructor({ redis, announcements, keys, limits, sealing = new Sealing(), repaired }: StoreParts) {
    this.redis = redis;
    this.announcements = announcements;
    this.keys = keys;
    this.limits = limits;
    this.sealing = sealing;
    this.scripts = new ScriptRunner(redis, keys.prefix, repaired);
    this.gate = new StorageGate(() => this.probe());
  }

  /**
   * Creates a store that opens two connections from `connections`: one for commands and one for messages. The owner of `connections` must
   * close them.
   */
  static over(
    connections: RedisConnections,
    namespace: string,
    limits: QueueLimits,
    sealing?: Sealing,
    repaired?: StoreParts['repaired'],
  ): RedisStore {
    const keys = new Keys(namespace);
    const announcements = new Announcements(connections, keys);
    return new RedisStore({ redis: connections.open('commands'), announcements, keys, limits, sealing, repaired });
  }

  /** Writes a small value by a script, to test if Redis accepts writes. */
  async probe(): Promise<void> {
    await this.scripts.run(PROBE, {});
  }

  /** Wakes all callers that wait for a change, and closes the connection for messages. */
  close(): void {
    this.announcements.close();
  }
}
