import { isJsonObject, readJson } from '#go';
import { featureGates, isMinor, LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import type { JsonObject } from '#go';
import type { BenchTask, RecordedCaseResult } from './bench-protocol.ts';
import { verdictText } from './canonical-text.ts';
import { compareCase } from './compare-case.ts';
import type { CaseContext } from './case-context.ts';
import { definitionFiles } from './definition-files.ts';
import { judgeCase } from './judge-case.ts';
import { readRecordedCase } from './recorded-case.ts';
import { readSpelledCase } from './spelled-case.ts';
import { UPSTREAM_JUDGES } from './upstream-judges.ts';

/**
 * Task of this process, which computes the verdicts on cases. The process reads lines and returns answers in the same order. If a case
 * crashes the process, no other process is affected.
 */
const task = JSON.parse(process.argv[2] ?? '{}') as BenchTask;
const context: CaseContext =
  task.kind === 'upstream'
    ? contextOf(LATEST_MINOR, '.')
    : contextOf(task.minor, task.crdFolder, task.kind === 'verdict' ? task.gates : undefined);
const answer = task.kind === 'verdict' ? verdictLine : task.kind === 'golden' ? goldenResult : upstreamResult;

process.on('message', (lines: string[]) => process.send?.(lines.map((line) => answer(line))));
process.on('disconnect', () => process.exit(0));

function contextOf(text: string, crdFolder: string, chosen?: Readonly<Record<string, boolean>>): CaseContext {
  const minor = isMinor(text) ? text : LATEST_MINOR;
  const found = featureGates(minor, chosen);
  if (!found.ok) throw new Error(found.error);
  return { minor, gates: found.gates, engine: nodeEngine(task.engine), loadDocument: definitionFiles(crdFolder) };
}

function readLine(line: string): JsonObject | undefined {
  const reading = readJson(line);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

function verdictLine(line: string): string {
  const testCase = readSpelledCase(line);
  return verdictText(testCase ? judgeCase(testCase, context) : { oracleError: 'the line is not a JSON object' });
}

function goldenResult(line: string): string {
  const record = readRecordedCase(line);
  if (record === undefined) return result({ id: '', outcome: 'skipped', what: 'malformed line' });
  const { test: testCase, verdict: golden, unstable } = record;
  const id = String(testCase['id']);
  if (golden['oracleError'] !== undefined) return result({ id, outcome: 'skipped', what: 'the oracle could not judge it' });
  const ours = judgeCase(testCase, context);
  const comparison = compareCase(testCase, golden, ours, unstable);
  if (comparison.exact) return result({ id, outcome: 'exact', what: '' });
  const aspects = comparison.differences.map(({ aspect }) => aspect);
  const missing = aspects[0] === 'missing';
  return result({
    id,
    outcome: missing ? 'missing' : comparison.verdict ? 'verdict' : 'differs',
    what: `${String(testCase['kind'])}: ${missing ? (comparison.differences[0]?.ours.split('\n', 1)[0] ?? '') : aspects.join(' + ')}`,
    golden: comparison.differences.map((d) => `${d.aspect}: ${d.golden}`).join('\n'),
    ours: comparison.differences.map((d) => `${d.aspect}: ${d.ours}`).join('\n'),
  });
}

function upstreamResult(line: string): string {
  const record = readLine(line);
  const id = String(record?.['id'] ?? '');
  const judge = task.kind === 'upstream' ? UPSTREAM_JUDGES[task.file] : undefined;
  if (!record || !judge) return result({ id, outcome: 'missing', what: 'not implemented' });
  try {
    const outcome = judge(record, task.engine);
    if (outcome.kind === 'agree') return result({ id, outcome: 'exact', what: '' });
    if (outcome.kind === 'skip') return result({ id, outcome: 'skipped', what: outcome.reason });
    return result({ id, outcome: outcome.verdict ? 'verdict' : 'differs', what: outcome.what, golden: outcome.golden, ours: outcome.ours });
  } catch (error) {
    return result({ id, outcome: 'missing', what: `internal: ${error instanceof Error ? error.message : String(error)}` });
  }
}

const result = (value: RecordedCaseResult): string => JSON.stringify(value);
