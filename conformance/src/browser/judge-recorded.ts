import { compileExpression, declareType, EMPTY_SCHEMA, environmentFor } from '#cel';
import type { EngineChoice, Linker } from '#cel';
import { defaultGates, isMinor, LATEST_MINOR } from '#kube';
import { CaseProblem } from '../case-context.ts';
import { compareCase } from '../compare-case.ts';
import { judgeCase } from '../judge-case.ts';
import { readRecordedCase } from '../recorded-case.ts';

/** The result of comparing Assay's verdicts on recorded cases with the recorded verdicts. */
export interface RecordedReport {
  readonly cases: number;
  readonly exact: number;
  /** Ids of the cases that differ, each with the aspects in which it differs. */
  readonly differing: readonly string[];
  /**
   * Engine that evaluates rules in this realm. If it is the interpreter although compiled code was requested, `obstacle` is the reason;
   * otherwise `obstacle` is null.
   */
  readonly engine: 'compiled' | 'interpreted';
  readonly obstacle: string | null;
}

/**
 * Computes the verdicts on recorded cases and compares them with the recorded verdicts. Each line is `{minor, case, verdict, unstable?}`.
 * The function runs in any JavaScript realm, and the browser bundle exports it.
 *
 * @param link function that links generated code; without it, rules are interpreted
 */
export function judgeRecorded(lines: string, link?: Linker): RecordedReport {
  const engine: EngineChoice | undefined = link && { kind: 'compiled', link };
  const differing: string[] = [];
  let cases = 0;
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    cases++;
    const difference = differenceIn(line, engine);
    if (difference !== undefined) differing.push(difference);
  }
  return { cases, exact: cases - differing.length, differing, ...whatRuns(engine) };
}

function differenceIn(line: string, engine: EngineChoice | undefined): string | undefined {
  const record = readRecordedCase(line);
  if (record?.minor === undefined || !isMinor(record.minor)) return 'a line is no recorded case';
  const { minor, test, verdict, unstable } = record;
  const ours = judgeCase(test, { minor, gates: defaultGates(minor), engine, loadDocument });
  const { exact, differences } = compareCase(test, verdict, ours, unstable);
  return exact ? undefined : `${String(test['id'])}: ${differences.map(({ aspect, ours: text }) => `${aspect} ${text}`).join(', ')}`;
}

function loadDocument(file: string): never {
  throw new CaseProblem(`there is no ${file} here`);
}

function whatRuns(engine: EngineChoice | undefined): Pick<RecordedReport, 'engine' | 'obstacle'> {
  const self = declareType({ ...EMPTY_SCHEMA, type: 'integer' }, 'value', LATEST_MINOR);
  const environment = environmentFor(LATEST_MINOR, 'stored');
  const compiled = self && compileExpression('self > 0', { self, oldSelf: 'plain', environment, expect: 'bool', engine });
  if (compiled?.ok !== true) throw new Error('the expression does not compile');
  return { engine: compiled.program.engine, obstacle: compiled.program.obstacle ?? null };
}
