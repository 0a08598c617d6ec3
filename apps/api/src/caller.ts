import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher, RequestKind } from '#runner';
import type { Caller } from '#service';
import { clientOf } from './access/client.ts';
import { bodyBytes } from './body-parsers.ts';
import { whenClosed } from './http/when-closed.ts';
import { requestSpan } from './request-span.ts';

/**
 * Returns the caller (client data and access to the engine) for which the service handles a request. When the response is sent or the
 * client disconnects, the request leaves the admission queue.
 */
export function callerOf(request: FastifyRequest, reply: FastifyReply, kind: RequestKind, dispatcher: Dispatcher): Caller {
  const { name: owner, flow, limits } = clientOf(request);
  const engine = dispatcher.open(flow, kind, bodyBytes(request));
  whenClosed(reply, () => engine.leaveQueue());
  return { owner, flow, limits, engine, span: requestSpan(request), signal: clientGone(reply) };
}

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
