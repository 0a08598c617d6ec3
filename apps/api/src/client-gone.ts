import type { FastifyReply } from 'fastify';
import { whenClosed } from './http/when-closed.ts';

/**
 * Aborted when the client closes the connection before the answer is complete. (Fastify's own `request.signal` fires as soon as a POST
 * body is read, so the response's `close` is watched instead.)
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(reply, () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}
