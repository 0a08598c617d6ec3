import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#service';
import type { Dispatcher, RequestKind } from '#runner';
import { clientOf } from './access/client.ts';
import { bodyBytes } from './body-parsers.ts';
import { clientGone } from './client-gone.ts';
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
