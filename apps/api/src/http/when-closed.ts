import type { FastifyReply } from 'fastify';

const ACTS = Symbol('when closed');

/** A response, with what is to be done when it is closed. */
interface ClosingResponse {
  [ACTS]?: (() => void)[];
}

/**
 * Does something when an answer is over, whether it was sent or its client left before. The hook `onResponse` does not run if a client hangs up while it
 * sends. All actions for one answer share one listener.
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
