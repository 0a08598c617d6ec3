import { pathOfFlow } from '#queue';
import type { Flow } from '#queue';
import type { Engine } from '#runner';

/**
 * Returns the engine that the studies of one flow use. Study work runs in the background on its own threads and lets all other work run
 * first. It therefore does not wait in the admission queue. `threads` is the number of threads that studies may use.
 */
export function backgroundEngine(engine: Engine, { threads, flow }: { readonly threads: number; readonly flow: Flow }): Engine {
  const path = pathOfFlow(flow);
  return { threads, run: (work, settings) => engine.run(work, { ...settings, background: true, flow: path }) };
}
