import { InProcessEngine } from '#runner/in-process';
import type { WorkPerformer } from '#runner/in-process';
import type { Engine } from '#runner';

/** Returns the engine of a worker, which tells after each piece of work that it goes on: who is silent for too long is ended. */
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
