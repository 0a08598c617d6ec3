import { MINORS } from '#kube';
import type { Service } from '../load/start-service.ts';
import { median } from '#benchmark';
import { routeDefinition } from '../workloads/route-body.ts';

/** How long a service takes to judge a definition as one minor and as all of them. */
export interface MatrixTimes {
  readonly oneMs: number;
  readonly allMs: number;
  /** All ÷ one, the median over the rounds. */
  readonly ratio: number;
}

/** Other definitions after which threads know nothing of a definition. */
const FORGOTTEN_AFTER = 2;

/** Times `POST /matrix` of one definition, by the latest minor and by all, one after the other; before each the service is asked of another definition. */
export async function matrixTimes(service: Service, definition: string, rounds: number): Promise<MatrixTimes> {
  const [other, latest] = [routeDefinition(), MINORS.slice(-1)];
  const afterOthers = async (minors: readonly string[]): Promise<number> => {
    for (let time = 0; time < FORGOTTEN_AFTER; time++) await ask(service, other, latest);
    return ask(service, definition, minors);
  };
  const times: MatrixTimes[] = [];
  for (let round = 0; round < rounds; round++) {
    const [oneMs, allMs] = [await afterOthers(latest), await afterOthers(MINORS)];
    times.push({ oneMs, allMs, ratio: allMs / oneMs });
  }
  const late = times.slice(-Math.ceil(times.length / 2));
  const middle = (of: keyof MatrixTimes): number => median(late.map((time) => time[of])) ?? Number.NaN;
  return { oneMs: middle('oneMs'), allMs: middle('allMs'), ratio: middle('ratio') };
}

/** ms from the request to the whole answer. */
async function ask(service: Service, definition: string, minors: readonly string[]): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${service.url}/matrix?minors=${minors.join(',')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"definitions":[${definition}]}`,
  });
  const answer = await response.text();
  if (response.status !== 200 || !answer.includes('"accepted":{')) throw new Error(`the matrix was not answered: ${answer.slice(0, 300)}`);
  return performance.now() - started;
}
