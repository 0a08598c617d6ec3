import { isJsonObject, readJson } from '#go';
import { featureGates } from '#kube';
import { nodeEngine } from '#runner/linker';
import type { JsonObject } from '#go';
import type { BenchRequest, BenchTask, RecordedCaseResult } from './bench-protocol.ts';
import { verdictText } from './canonical-text.ts';
import type { CaseContext } from './case-context.ts';
import { definitionFiles } from './definition-files.ts';
import { judgeCase } from './judge-case.ts';
import { readRecordedCase } from './recorded-case.ts';
import { comparedResult, skippedResult } from './recorded-result.ts';
import { readSpelledCase } from './spelled-case.ts';
import { UPSTREAM_JUDGES } from './upstream-judges.ts';

/** Answerers of the tasks of this process, by the JSON text of the task. */
const answerers = new Map<string, (line: string) => string>();

process.on('message', ({ task, lines }: BenchRequest) => {
  const key = JSON.stringify(task);
  const answer = answerers.get(key) ?? answererOf(task);
  answerers.set(key, answer);
  process.send?.(lines.map((line) => answer(line)));
});
process.on('disconnect', () => process.exit(0));

/** Returns the function that answers the lines of a task. */
function answererOf(task: BenchTask): (line: string) => string {
  if (task.kind === 'upstream') return (line) => upstreamResult(line, task);
  const context = contextOf(task);
  return task.kind === 'verdict' ? (line) => verdictLine(line, context) : (line) => goldenResult(line, context);
}

function contextOf(task: Exclude<BenchTask, { kind: 'upstream' }>): CaseContext {
  const { minor } = task;
  const found = featureGates(minor, task.kind === 'verdict' ? task.gates : undefined);
  if (!found.ok) throw new Error(found.error);
  return { minor, gates: found.gates, engine: nodeEngine(task.engine), loadDocument: definitionFiles(task.crdFolder) };
}

function readLine(line: string): JsonObject | undefined {
  const reading = readJson(line);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

function verdictLine(line: string, context: CaseContext): string {
  const testCase = readSpelledCase(line);
  return verdictText(testCase ? judgeCase(testCase, context) : { oracleError: 'the line is not a JSON object' });
}

function goldenResult(line: string, context: CaseContext): string {
  const record = readRecordedCase(line);
  if (record === undefined) return result({ id: '', outcome: 'skipped', what: 'malformed line' });
  return result(skippedResult(record) ?? comparedResult(record, judgeCase(record.test, context)));
}

function upstreamResult(line: string, { file, engine }: Extract<BenchTask, { kind: 'upstream' }>): string {
  const record = readLine(line);
  const id = String(record?.['id'] ?? '');
  const judge = UPSTREAM_JUDGES[file];
  if (!record || !judge) return result({ id, outcome: 'missing', what: 'not implemented' });
  try {
    const outcome = judge(record, engine);
    if (outcome.kind === 'agree') return result({ id, outcome: 'exact', what: '' });
    if (outcome.kind === 'skip') return result({ id, outcome: 'skipped', what: outcome.reason });
    return result({ id, outcome: outcome.verdict ? 'verdict' : 'differs', what: outcome.what, golden: outcome.golden, ours: outcome.ours });
  } catch (error) {
    return result({ id, outcome: 'missing', what: `internal: ${error instanceof Error ? error.message : String(error)}` });
  }
}

const result = (value: RecordedCaseResult): string => JSON.stringify(value);
