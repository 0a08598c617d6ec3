import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';

export type ScriptArgument = string | number | Uint8Array;

/** Runs scripts by their digest, and sends the text to a server that does not know it (a new one, or one that was restarted). Answers are buffers. */
export class ScriptRunner {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #digests = new Map<string, string>();

  /** `prefix`: the one key of every script, from which it makes all others. */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** An answer that is one word. */
  async word(script: string, args: readonly ScriptArgument[]): Promise<string> {
    return String(await this.run(script, args));
  }

  async run(script: string, args: readonly ScriptArgument[]): Promise<unknown> {
    const rest = ['1', this.#prefix, ...args.map((arg) => (typeof arg === 'number' ? String(arg) : asBuffer(arg)))];
    try {
      return await this.#redis.callBuffer('EVALSHA', this.#digest(script), ...rest);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.#redis.callBuffer('EVAL', script, ...rest);
    }
  }

  #digest(script: string): string {
    const known = this.#digests.get(script);
    if (known !== undefined) return known;
    const digest = createHash('sha1').update(script).digest('hex');
    this.#digests.set(script, digest);
    return digest;
  }
}

const asBuffer = (arg: string | Uint8Array): string | Buffer =>
  typeof arg === 'string' ? arg : Buffer.from(arg.buffer, arg.byteOffset, arg.byteLength);
