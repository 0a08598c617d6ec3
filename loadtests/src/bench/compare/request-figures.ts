import { startService } from '../../load/start-service.ts';
import { evaluateBody, smallBody } from '../../workloads/request-bodies.ts';
import type { EvaluateBody } from '../../workloads/request-bodies.ts';
import { routeDefinition, routeObject } from '../../workloads/route-body.ts';
import { roundOf, sendRequests } from '../service-rounds.ts';
import type { RevisionProcess } from './compare-figures.ts';

/**
 * Request by which revisions are compared. One measurement sends the request `requests` times, because CPU time is reported in steps of 10
 * ms.
 */
interface RequestFigure {
  readonly body: EvaluateBody;
  readonly requests: number;
}

const CONNECTIONS = 16;
const REQUESTS: ReadonlyMap<string, RequestFigure> = new Map([
  ['POST /evaluate: a small object', { body: smallBody(1), requests: 3000 }],
  ['POST /evaluate: 250 small objects', { body: smallBody(250), requests: 250 }],
  [
    'POST /evaluate: an HTTPRoute and its definition',
    { body: evaluateBody('an HTTPRoute', routeDefinition(), [routeObject()]), requests: 1000 },
  ],
]);

/** Names of the requests by which revisions are compared. */
export const REQUEST_FIGURES: readonly string[] = [...REQUESTS.keys()];

/**
 * Starts the service that was built into `dist` of a folder. A figure is the CPU time per object in µs that all processes of the service
 * use under closed load. The figure is undefined if a request fails.
 */
export async function measureService(folder: string): Promise<RevisionProcess> {
  const service = await startService({}, folder);
  return {
    measure: async (figure) => {
      const one = REQUESTS.get(figure);
      if (one === undefined) return undefined;
      const send = () => sendRequests(`${service.url}/evaluate`, one.body, { connections: CONNECTIONS, requests: one.requests });
      return roundOf(service, send).then(
        ({ cpuMicros }) => cpuMicros,
        () => undefined,
      );
    },
    stop: () => service.stop(),
  };
}
