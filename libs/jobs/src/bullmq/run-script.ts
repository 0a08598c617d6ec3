import { createHash } from 'node:crypto';
import { steadyNow } from '#documents';
import { isDamage } from '../unavailable.ts';
import type { Connection } from './connections.ts';
import { ADD, REPAIR } from './lua/commands.ts';
import type { LuaCommand } from './lua/command.ts';
import { packArguments } from './pack-arguments.ts';
import type { Packable } from './pack-arguments.ts';

/** Shortest time in ms between two repairs by one process. The failed addition of a job is always repaired. */
const REPAIR_PAUSE_MS = 1000;

/** Object type with the fields of an interface. In contrast to the interface, the type is assignable to a map of packable values. */
type Fields<Arguments> = { readonly [Name in keyof Arguments]: Arguments[Name] };

/**
 * Runner of Lua commands, which identifies them by their digests. If the server does not know a digest, because the server is new or was
 * restarted, the text of the command is sent. If a command meets keys that other software damaged, the runner repairs the keys and runs the
 * command again.
 */
export class ScriptRunner {
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
    // Only the first step of a submission cannot be repeated after a partial failure.
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
