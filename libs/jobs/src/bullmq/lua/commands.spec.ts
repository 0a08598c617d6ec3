import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../../test/private-redis.ts';
import { bundle, luaPartsOf, readCommands } from './bundle.ts';
import * as commands from './commands.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const files = readCommands(FOLDER);
const codeOf = (command: (typeof files)[number]): string =>
  luaPartsOf(FOLDER, command)
    .map(({ code }) => code)
    .join('\n');

describe('Lua commands', () => {
  it('in the generated file match their sources', () => {
    const [, ...lines] = readFileSync(new URL('commands.ts', import.meta.url), 'utf8').split('\n');
    expect(lines.join('\n'), 'the sources in scripts/generate/generated-files.mjs').toBe(bundle(FOLDER));
  });

  it.each(files.map((command) => [command.name, command] as const))(
    '%s uses exactly the arguments that its header declares',
    (_, command) => {
      const used = new Set(Array.from(codeOf(command).matchAll(/\bargs\.(\w+)/g), ([, name]) => String(name)));
      expect([...used].toSorted((a, b) => a.localeCompare(b))).toEqual(
        command.arguments.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b)),
      );
      for (const { type } of command.arguments) expect(type).not.toBe('');
    },
  );

  it.each(files.map((command) => [command.name, command] as const))(
    '%s takes one key and one packed argument, and documents its return value and invariant',
    (_, command) => {
      expect(command.words).not.toBe('');
      expect(command.invariant).not.toBe('');
      expect(command.returns).not.toBe('');
      expect(command.keys).toBe('1] prefix');
      const code = codeOf(command);
      expect(code.match(/\bKEYS\b.*/g)).toEqual(['KEYS[1]']);
      expect(code.match(/\bARGV\b.*/g)).toEqual(['ARGV[1])']);
    },
  );

  it.skipIf(!redisInstalled)('are valid for Redis', async () => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    for (const { name, lua } of Object.values(commands)) expect(await redis.script('LOAD', lua), name).toMatch(/^[0-9a-f]{40}$/);
    redis.disconnect();
    server.stop();
  });
});
