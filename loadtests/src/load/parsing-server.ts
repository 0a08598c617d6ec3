import fastify from 'fastify';

/**
 * The least that any service answers a request with: Fastify reads the body, parses it as JSON, and answers as many bytes as the query asks for
 * (`bytes`). A program of its own, started by `start-bare-server.ts`.
 */
const BODY_LIMIT = 64 * 1024 * 1024;
const FRAME = '{"members":1,"fill":""}'.length;

const server = fastify({ bodyLimit: BODY_LIMIT });
server.post<{ Querystring: { readonly bytes?: string } }>('/evaluate', (request, reply) => {
  const members = Object.keys(request.body as object).length;
  void reply.send({ members, fill: 'x'.repeat(Math.max(0, Number(request.query.bytes ?? 0) - FRAME)) });
});
process.stdout.write(`parsing server listens on ${await server.listen({ port: 0, host: '127.0.0.1' })}\n`);
