import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, readJson } from '#go';
import { isMinor, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { CostedPart } from '#cel';
import { partPrices } from '../src/cel/part-prices.ts';
import { everyNth, linesOfFile } from '../src/read-lines.ts';
import { conformanceFile, SHARED, sharedIsHere } from '../src/shared-folder.ts';
import { thorough } from '../../testing/thorough.ts';

const parts = (part: CostedPart): CostedPart[] => [part, ...part.parts.flatMap(parts)];

/**
 * Checks the costs of the parts of a case's rule against the costs of the whole rule. Returns the errors that were found, and whether the
 * rule was evaluated. Returns undefined if the case has no costs of parts.
 */
function faults(testCase: JsonObject, minor: Minor): { readonly faults: readonly string[]; readonly evaluated: boolean } | undefined {
  const prices = partPrices(testCase, minor);
  if (prices === undefined) return undefined;
  const { root, maxCost, cost } = prices;
  const all = parts(root);
  const found: string[] = [];
  const rule = String(testCase['rule']);
  const check = (holds: boolean, what: string): void => void (holds || found.push(`${String(testCase['id'])} ${what}: ${rule}`));
  check(root.estimate.total.max === maxCost, `root estimate ${root.estimate.total.max}, expression ${maxCost}`);
  check(rule.includes(root.text), 'the text of the root is not in the source');
  for (const { text, parts: inner } of all)
    for (const part of inner) check(text.includes(part.text), `the text ${part.text} is not inside ${text}`);
  if (cost !== undefined) {
    const own = all.reduce((sum, { actual }) => sum + (actual?.own ?? Number.NaN), 0);
    check(own === cost, `own costs ${own}, evaluation ${cost}`);
    check(root.actual?.total === cost, `root ${root.actual?.total}, evaluation ${cost}`);
    check(
      all.every(({ actual }) => actual !== undefined && (actual.own === 0 || actual.evaluations > 0)),
      'a part cost something without being evaluated',
    );
  } else check(root.actual === undefined, 'readings of what was not evaluated');
  return { faults: found, evaluated: cost !== undefined };
}

/** Checks the costs of parts in every `step`-th case of a file. For lines that name no minor version, `fileMinor` is used. */
async function judge(file: string, fileMinor: Minor, step = 1): Promise<{ faults: string[]; priced: number; evaluated: number }> {
  const sum = { faults: [] as string[], priced: 0, evaluated: 0 };
  for await (const line of everyNth(linesOfFile(file), step)) {
    const reading = readJson(line);
    if (!reading.ok || !isJsonObject(reading.value)) throw new Error(`a line of ${file} is not a JSON object`);
    const { minor = fileMinor, case: testCase } = reading.value;
    if (typeof minor !== 'string' || !isMinor(minor)) throw new Error(`${file}: unknown minor`);
    const found = faults(testCase as JsonObject, minor);
    if (found === undefined) continue;
    sum.priced++;
    if (found.evaluated) sum.evaluated++;
    sum.faults.push(...found.faults);
  }
  return sum;
}

describe('the own costs of all parts of a rule add up to the cost of the evaluation, and the root has the estimate,', () => {
  it('for the recorded expressions of this project', async () => {
    const { faults, priced, evaluated } = await judge(conformanceFile('golden/expressions.jsonl'), LATEST_MINOR);
    expect(faults).toEqual([]);
    expect(priced).toBeGreaterThan(100);
    expect(evaluated).toBeGreaterThan(100);
  });

  // 1.30 has older rules of estimates (`estimatesFollowEntries`), and reads macros like cel-go 0.17.
  it.skipIf(!sharedIsHere).each(['1.30', '1.37'] as const)('for the recorded random expressions of %s', async (minor) => {
    const { faults, priced, evaluated } = await judge(
      join(SHARED, `oracle/golden/random-exprs-${minor}.jsonl.gz`),
      minor,
      thorough ? 1 : 8,
    );
    expect(faults).toEqual([]);
    expect(Math.min(priced, evaluated)).toBeGreaterThan(thorough ? 1000 : 100);
  });
});
