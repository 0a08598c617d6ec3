import { createHash } from 'node:crypto';
import type { Connection } from './connections.ts';
import type { LuaCommand } from './lua/command.ts';
import { packArguments } from './pack-arguments.ts';
import type { Packable } from './pack-arguments.ts';

/** Object type with the fields of an interface. In contrast to the interface, the type is assignable to a map of packable values. */
type Fields<Arguments> = { readonly [Name in keyof Arguments]: Arguments[Name] };

/**
 * Runner of Lua commands, which identifies them by their digests. If the server does not know a digest, because the server is new or was
 * restarted, the text of the command is sent.
 */
export class ScriptRunner {
  readonly #redis: Connection;
  readonly #prefix: string;
  readonly #digests = new Map<string, string>();

  /** `prefix` is the only Redis key that is passed to a command. The command derives all other keys from this prefix. */
  constructor(redis: Connection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
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
  async run<Arguments>({ name, lua }: LuaCommand<Arguments>, given: Fields<Arguments>): Promise<unknown> {
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
