import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import { thorough } from '../../testing/thorough.ts';
import { conformanceFile, SHARED } from '../src/shared-folder.ts';
import { costliestPoints, seriesPoints } from '../src/study-points.ts';
import type { StudyPoint } from '../src/study-points.ts';

const ORACLE = join(SHARED, 'oracle/bin', `oracle-${LATEST_MINOR}`);
const RECORDED = conformanceFile('golden/study-costs.json');
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Minimum number of sizes at which costs are compared. */
const MIN_SIZES = 50;

/** A recorded cost as a tuple: rule, field, size, digest of the object, cost in cost units. */
type RecordedCost = readonly [rule: string, field: string, size: number, digest: string, cost: number];

const series = seriesPoints();
const reported = (points: readonly StudyPoint[]): readonly RecordedCost[] =>
  points.map(({ rule, field, size, digest, cost }) => [rule, field, size, digest, cost]);

/** Runs the oracle and returns the cost of the rule for each point's object. */
function askOracle(points: readonly StudyPoint[]): readonly RecordedCost[] {
  const input = points.map(({ question }) => `${question}\n`).join('');
  const { status, stdout, stderr } = spawnSync(ORACLE, [], { input, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES });
  if (status !== 0) throw new Error(`the oracle ended with ${status}: ${stderr}`);
  const answers = stdout.trimEnd().split('\n');
  return points.map(({ rule, field, size, digest }, i) => {
    const { celCost } = JSON.parse(answers[i] ?? '{}') as { celCost?: number };
    if (celCost === undefined || celCost < 0) throw new Error(`the oracle tells no cost of ${rule} at ${size}: ${answers[i]}`);
    return [rule, field, size, digest, celCost];
  });
}

const lineOf = (cost: RecordedCost): string => `  [${cost.map((part) => JSON.stringify(part)).join(', ')}]`;

// If the generated values change, the variable ASSAY_RECORD_COSTS makes this line record the costs of the new objects.
if (process.env['ASSAY_RECORD_COSTS'] !== undefined) writeFileSync(RECORDED, `[\n${askOracle(series).map(lineOf).join(',\n')}\n]\n`);

describe('the costs that a study reports for rules of known growth', () => {
  it(`exist for at least ${MIN_SIZES} sizes`, () => {
    expect(series.length).toBeGreaterThanOrEqual(MIN_SIZES);
  });

  it('equal the costs that the oracle (the Go code of Kubernetes) recorded for the same objects', () => {
    const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as readonly RecordedCost[];
    expect(reported(series)).toEqual(recorded);
  });

  it.skipIf(!existsSync(ORACLE) || !thorough)('equal the costs that the oracle now computes, also for the most expensive writes', () => {
    const all = [...series, ...costliestPoints()];
    expect(reported(all)).toEqual(askOracle(all));
    process.stdout.write(`costs of ${all.length} writes are those of the oracle\n`);
  });
});
