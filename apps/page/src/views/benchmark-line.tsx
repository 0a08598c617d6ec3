import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { BenchmarkProgress } from '../benchmark/benchmark-run.ts';

/** Interval at which the progress bar moves, in ms. */
const STEP_MS = 250;

const PHASES = {
  costs: 'searching for the most expensive write',
  times: 'measuring times',
  comparison: 'comparing with the earlier rule',
  over: 'ready',
} as const;

/** Shows the progress of a benchmark in one line. */
export function BenchmarkLine({ progress }: { readonly progress: BenchmarkProgress }): JSX.Element {
  const { state, ask, answer, why } = progress;
  const isRunning = state === 'running';
  const spentMs = useSpent(ask, isRunning);
  const phase = answer?.kind === 'studied' && answer.phase !== 'over' ? answer.phase : 'costs';
  const words = {
    running: `${PHASES[phase]} …`,
    over: PHASES.over,
    stopped: 'stopped; the findings so far are below',
    failed: `not studied: ${why}`,
  };
  return (
    <p class={state === 'over' ? 'benchmark-line unseen' : 'benchmark-line muted'}>
      {isRunning && <progress value={Math.min(spentMs, ask.budgetMs)} max={ask.budgetMs} aria-label="Time of the benchmark" />}
      <span role="status">{words[state]}</span>
    </p>
  );
}

/** Returns the time since a benchmark began, in ms. The component is rendered again as the time passes. */
function useSpent(ask: BenchmarkProgress['ask'], isRunning: boolean): number {
  const [spentMs, setSpent] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const begun = performance.now();
    setSpent(0);
    const timer = setInterval(() => setSpent(performance.now() - begun), STEP_MS);
    return () => clearInterval(timer);
  }, [ask, isRunning]);
  return spentMs;
}
