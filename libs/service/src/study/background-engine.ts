import { pathOfFlow } from '#queue';
import type { Flow } from '#queue';
import type { Engine } from '#runner';

/**
 * Returns the engine as the studies of a flow have it. Their work gives way to all other work on threads of its own, so it waits for no turn in the
 * admission queue. `threads`: the threads that it may use.
 */
export function backgroundEngine(engine: Engine, { threads, flow }: { readonly threads: number; readonly flow: Flow }): Engine {
  const path = pathOfFlow(flow);
  return { threads, run: (work, settings) => engine.run(work, { ...settings, background: true, flow: path }) };
}
