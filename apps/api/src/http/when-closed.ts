import type { FastifyReply } from 'fastify';

const ACTS = Symbol('when closed');

/** Response with the actions that run when it is closed. */
interface ClosingResponse {
  [ACTS]?: (() => void)[];
}

/**
 * Runs `act` when a response is finished, because it was sent or because the client disconnected. The hook `onResponse` is not sufficient,
 * because it does not run if a client disconnects while the client still sends its request. All actions for one response share one
 * listener.
 */
export function whenClosed({ raw }: FastifyReply, act: () => void): void {
  const response = raw as typeof raw & ClosingResponse;
  const known = response[ACTS];
  if (known) return void known.push(act);
  const acts = [act];
  response[ACTS] = acts;
  response.once('close', () => {
    for (const one of acts) one();
  });
}
