import { fileURLToPath } from 'node:url';
import { startProgram } from './start-program.ts';
import type { Service } from './start-service.ts';

const SOURCE = import.meta.url.endsWith('.ts');

/** Starts a Fastify that only parses bodies, in threads: what our service is measured against. */
export const startBareServer = (): Promise<Service> => startServer('bare-server');

/** Starts a Fastify that parses bodies where it reads them, without any thread: the least CPU that a request can take. */
export const startParsingServer = (): Promise<Service> => startServer('parsing-server');

async function startServer(module: string): Promise<Service> {
  const program = await startProgram({
    name: `the ${module}`,
    command: process.execPath,
    args: [fileURLToPath(new URL(`./${module}${SOURCE ? '.ts' : '.js'}`, import.meta.url))],
    ready: /listens on (http:\/\/\S+)/,
  });
  return { url: program.match[1] ?? '', processId: program.processId, stop: () => program.stop() };
}
