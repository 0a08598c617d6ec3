import { pathOfFlow } from '#runner/flow';
import type { Engine } from '#runner';
import type { Flow } from '#runner/flow';

/**
 * Returns the engine for the studies of one {@link Flow}. Studies run in the background on separate threads, which pause while other work
 * runs. Studies therefore do not wait in the admission queue. `threads` is the number of threads that one study may use.
 */
export function backgroundEngine(engine: Engine, { threads, flow }: { readonly threads: number; readonly flow: Flow }): Engine {
  const path = pathOfFlow(flow);
  return { threads, run: (work, settings) => engine.run(work, { ...settings, background: true, flow: path }) };
}
