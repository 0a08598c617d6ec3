import { validateObject } from '#crd';
import { compiled } from '../workloads/judging.ts';
import { smallObjects, SMALL_DEFINITION } from '../workloads/request-bodies.ts';

/**
 * Measures the engine alone, with one thread in a separate process. `measure-engine OBJECTS MILLISECONDS` writes `{perSecond, cost, accepted}`
 * for small objects, after a warm-up.
 */
const [count = '250', milliseconds = '500'] = process.argv.slice(2);
const definition = compiled(SMALL_DEFINITION);
const bodies = smallObjects(Number(count)).map((text) => Buffer.from(text));

/** Validates all objects once. Returns their total cost and the number of accepted objects. */
function judgeAll(): { readonly cost: number; readonly accepted: number } {
  let [cost, accepted] = [0, 0];
  for (const body of bodies) {
    const write = { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Strict' } as const;
    const verdict = validateObject(definition, write, {});
    if ('cancelled' in verdict || !verdict.accepted) continue;
    cost += verdict.cost.cel ?? 0;
    accepted += 1;
  }
  return { cost, accepted };
}

/** Validates objects for `ms` and returns the number of objects per second. */
function rate(ms: number): number {
  const started = performance.now();
  let judged = 0;
  while (performance.now() - started < ms) {
    judgeAll();
    judged += bodies.length;
  }
  return (judged / (performance.now() - started)) * 1000;
}

rate(Number(milliseconds));
process.stdout.write(JSON.stringify({ perSecond: rate(Number(milliseconds)), ...judgeAll() }));
