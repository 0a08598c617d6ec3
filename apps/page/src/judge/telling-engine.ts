import { InProcessEngine } from '#runner/in-process';
import type { WorkPerformer } from '#runner/in-process';
import type { Engine } from '#runner';

/**
 * Returns the engine of a worker. The engine calls `tell` after each task to report that work continues, because the page ends a worker
 * that is silent for too long.
 */
export function tellingEngine(performer: WorkPerformer, tell: () => void): Engine {
  const engine = new InProcessEngine(performer);
  return {
    threads: engine.threads,
    run: async (work, settings) => {
      const answer = await engine.run(work, settings);
      tell();
      return answer;
    },
  };
}
