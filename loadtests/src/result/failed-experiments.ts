import type { ExperimentResult } from './summary.ts';

/** Names the experiments that failed, each with its cause; undefined if none did. */
export function failedText(experiments: readonly Pick<ExperimentResult, 'name' | 'status' | 'why'>[]): string | undefined {
  const failed = experiments.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return undefined;
  const names = failed.map(({ name, why }) => (why === undefined ? name : `${name} (${why})`)).join(', ');
  return `${failed.length} of ${experiments.length} experiments failed: ${names}`;
}
