import type { RecordedCaseResult } from './bench-protocol.ts';
import type { VerdictValue } from './canonical-text.ts';
import { compareCase } from './compare-case.ts';
import type { RecordedCase } from './recorded-case.ts';

/** Returns the result of a recorded case that cannot be compared, because its verdict is an error of the oracle. Otherwise undefined. */
export function skippedResult({ test, verdict }: RecordedCase): RecordedCaseResult | undefined {
  if (verdict['oracleError'] === undefined) return undefined;
  return { id: String(test['id']), outcome: 'skipped', what: 'the oracle could not judge it' };
}

/** Compares a verdict with the recorded verdict on a case. Returns the result, whose class of difference names the kind of the case. */
export function comparedResult({ test, verdict: golden, unstable }: RecordedCase, ours: VerdictValue): RecordedCaseResult {
  const id = String(test['id']);
  const comparison = compareCase(test, golden, ours, unstable);
  if (comparison.exact) return { id, outcome: 'exact', what: '' };
  const aspects = comparison.differences.map(({ aspect }) => aspect);
  const missing = aspects[0] === 'missing';
  return {
    id,
    outcome: missing ? 'missing' : comparison.verdict ? 'verdict' : 'differs',
    what: `${String(test['kind'])}: ${missing ? (comparison.differences[0]?.ours.split('\n', 1)[0] ?? '') : aspects.join(' + ')}`,
    golden: comparison.differences.map((d) => `${d.aspect}: ${linesWithout(d.golden, d.ours)}`).join('\n'),
    ours: comparison.differences.map((d) => `${d.aspect}: ${linesWithout(d.ours, d.golden)}`).join('\n'),
  };
}

/** Returns the lines of a list, such as a list of errors or rules, that are not in another list. A line may be in a list several times. */
function linesWithout(list: string, other: string): string {
  const left = new Map<string, number>();
  for (const line of other.split('\n')) left.set(line, (left.get(line) ?? 0) + 1);
  return list
    .split('\n')
    .filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    })
    .join('\n');
}
