import { fileURLToPath } from 'node:url';
import { startProgram } from './start-program.ts';
import type { Service } from './start-service.ts';

const SOURCE = import.meta.url.endsWith('.ts');

/** Starts a Fastify server that only parses bodies, in threads. Experiments compare the service with it. */
export const startBareServer = (): Promise<Service> => startServer('threads');

/**
 * Starts a Fastify server that parses bodies in its main thread and has no other threads. The CPU time of this server is the least that a
 * request can take.
 */
export const startParsingServer = (): Promise<Service> => startServer();

async function startServer(...args: readonly string[]): Promise<Service> {
  const program = await startProgram({
    name: 'the bare server',
    command: process.execPath,
    args: [fileURLToPath(new URL(`./bare-server${SOURCE ? '.ts' : '.js'}`, import.meta.url)), ...args],
    ready: /listens on (http:\/\/\S+)/,
  });
  return { url: program.match[1] ?? '', processId: program.processId, stop: () => program.stop() };
}
