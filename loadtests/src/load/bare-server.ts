import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import fastify from 'fastify';

/**
 * Minimal server for comparison: a Fastify server that receives a body, parses it as JSON, and answers. It is a separate program that
 * `start-bare-server.ts` starts.
 *
 * With the argument `threads`, it passes bodies to as many threads as the service has. Without this argument, it parses bodies in its main
 * thread and answers with the number of bytes that the query parameter `bytes` requests.
 */
const SOURCE = import.meta.url.endsWith('.ts');
const BODY_LIMIT = 64 * 1024 * 1024;
const FRAME = '{"members":1,"fill":""}'.length;

const server = fastify({ bodyLimit: BODY_LIMIT });
if (process.argv[2] === 'threads') {
  const waiting = new Map<number, (members: number) => void>();
  const threads = Array.from({ length: availableParallelism() }, () => {
    const thread = new Worker(new URL(`./parse-thread${SOURCE ? '.ts' : '.js'}`, import.meta.url));
    thread.on('message', ({ id, members }: { id: number; members: number }) => {
      waiting.get(id)?.(members);
      waiting.delete(id);
    });
    return thread;
  });
  let requests = 0;
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.post('/evaluate', (request, reply) => {
    const id = requests++;
    waiting.set(id, (members) => void reply.send({ members }));
    threads[id % threads.length]?.postMessage({ id, bytes: request.body });
  });
} else
  server.post<{ Querystring: { readonly bytes?: string } }>('/evaluate', (request, reply) => {
    const members = Object.keys(request.body as object).length;
    void reply.send({ members, fill: 'x'.repeat(Math.max(0, Number(request.query.bytes ?? 0) - FRAME)) });
  });
process.stdout.write(`bare server listens on ${await server.listen({ port: 0, host: '127.0.0.1' })}\n`);
