import type { PolicyWork } from '#benchmark';
import type { PolicyProgram } from '../../engines/policy-program.ts';
import { costsOf, judgeCase } from './judged-case.ts';
import { oracleLine } from './oracle-line.ts';
import type { PolicyCase } from './policy-cases.ts';

/** Case with the time that the real plugin took for its request, and the steps that Assay counted. */
export interface TimedCase {
  readonly testCase: PolicyCase;
  readonly work: PolicyWork;
  /** CPU time of the thread in ns: the lowest over the rounds. */
  readonly ns: number;
}

/**
 * Measures the requests of the cases with the real plugin in several rounds. `differing` lists the cases whose costs or verdicts differ
 * from Assay's; they have no time.
 */
export function timeCases(
  program: PolicyProgram,
  cases: readonly PolicyCase[],
  { rounds, least }: { readonly rounds: number; readonly least: string },
): { readonly timed: readonly TimedCase[]; readonly differing: readonly string[] } {
  const lines = cases.map(oracleLine);
  const answers = program.answers(lines);
  const readings = Array.from({ length: rounds }, () => program.times(lines, least));
  const timed: TimedCase[] = [];
  const differing: string[] = [];
  for (const [i, testCase] of cases.entries()) {
    const { probe, work } = judgeCase(testCase);
    const answer = answers[i];
    const own = readings.flatMap((round) => round[i] ?? []);
    const isSame = JSON.stringify(answer?.runs) === JSON.stringify(costsOf(probe)) && answer?.allowed === (probe.refusal === undefined);
    if (!isSame || own.length < rounds || own.some(({ error }) => error !== undefined)) differing.push(testCase.id);
    else timed.push({ testCase, work, ns: Math.min(...own.map(({ ns }) => ns)) });
  }
  return { timed, differing };
}
