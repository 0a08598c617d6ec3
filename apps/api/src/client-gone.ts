import type { FastifyReply } from 'fastify';
import { whenClosed } from './http/when-closed.ts';

/**
 * Returns a signal that is aborted if the client closes the connection before the answer is complete. It uses the response's `close` event,
 * because Fastify's own `request.signal` fires when a POST body has been read.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(reply, () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}
