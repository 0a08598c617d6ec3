import { countedText } from '#numbers';
import { sentence } from './sentence.ts';
import type { ExperimentResult, Gate, ReportClaim } from './summary.ts';

/** Gates or claims grouped by verdict. Each group keeps the original order. */
export interface Sorted<One> {
  readonly held: readonly One[];
  /** Gates or claims that fail or hold only in part. */
  readonly failed: readonly One[];
  /** Gates or claims that are undecided or not measured, so that nothing can be concluded from them. */
  readonly open: readonly One[];
}

/** Groups gates or claims by verdict. */
export function sorted<One extends Pick<Gate | ReportClaim, 'verdict'>>(all: readonly One[]): Sorted<One> {
  const of = (...verdicts: One['verdict'][]): One[] => all.filter(({ verdict }) => verdicts.includes(verdict));
  return { held: of('holds'), failed: of('fails', 'in part'), open: of('undecided', 'not measured') };
}

/** Returns a summary of the verdicts of gates or claims, such as `3 of 4 decided gates hold, 2 are undecided`. */
export function verdictsText(noun: 'gate' | 'claim', all: readonly Pick<Gate | ReportClaim, 'verdict'>[]): string {
  const { held, failed, open } = sorted(all);
  const decided = held.length + failed.length;
  const rest = open.length === 0 ? '' : `, ${open.length} ${open.length === 1 ? 'is' : 'are'} undecided`;
  if (all.length === 0) return `there are no ${noun}s`;
  if (decided === 0) return `no ${noun} is decided by this run${rest}`;
  return `${held.length} of ${countedText(decided, `decided ${noun}`)} ${decided === 1 ? 'holds' : 'hold'}${rest}`;
}

/** Returns a summary of all gates and claims of some experiments. It names the experiments that failed, each with its cause. */
export function outcomeText(experiments: readonly Pick<ExperimentResult, 'name' | 'status' | 'why' | 'gates' | 'claims'>[]): string {
  const failed = experiments.filter(({ status }) => status === 'failed');
  const names = failed.map(({ name, why }) => (why === undefined ? name : `${name} (${why})`)).join(', ');
  const broken = failed.length === 0 ? [] : [`${failed.length} of ${countedText(experiments.length, 'experiment')} failed: ${names}`];
  const gates = experiments.flatMap((one) => one.gates);
  const claims = experiments.flatMap((one) => one.claims);
  return [...broken, verdictsText('gate', gates), verdictsText('claim', claims)].map((part) => `${sentence([part])}.`).join(' ');
}
