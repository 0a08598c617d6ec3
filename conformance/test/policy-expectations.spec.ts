import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { defaultContext } from '../src/case-context.ts';
import { judgeAdmitCase } from '../src/policy/admit-case.ts';
import { judgeMutateCase } from '../src/policy/mutate-case.ts';
import { linesOfFile } from '../src/read-lines.ts';
import { SHARED } from '../src/shared-folder.ts';

const FOLDER = join(SHARED, 'corpora-policies');
const CASES = join(FOLDER, 'cases.jsonl.gz');
const GOLDEN = join(FOLDER, 'golden/cases-1.37.jsonl.gz');

/**
 * Returns true if a verdict agrees with the expectation of the project that wrote the policy. Returns undefined if the project expects
 * nothing.
 */
function agrees(expected: unknown, verdict: Readonly<Record<string, unknown>>): boolean | undefined {
  const allowed = verdict['allowed'] === true;
  switch (expected) {
    case undefined:
      return undefined;
    case 'allow':
      return allowed;
    case 'deny':
      return !allowed;
    case 'warn':
      return allowed && Array.isArray(verdict['warnings']);
    case 'mutated':
      return allowed && verdict['unchanged'] !== true;
    case 'unchanged':
      return allowed && verdict['unchanged'] === true;
    case 'skip':
      return allowed && (verdict['unchanged'] === true || !('unchanged' in verdict));
    default:
      throw new Error(`expected ${String(expected)}`);
  }
}

const judged = (testCase: JsonObject): Readonly<Record<string, unknown>> => {
  const context = defaultContext('1.37');
  const judge = testCase['kind'] === 'mutate' ? judgeMutateCase : judgeAdmitCase;
  return judge(testCase, context);
};

describe.skipIf(!existsSync(CASES))("policies of seven projects, with the expectations of the projects' suites", () => {
  /**
   * The oracle disagrees with 38 of 2,127 expectations. 34 of these are among the 1,586 expectations that are recorded here. The other 4
   * are among the expectations that are not recorded here. The cause is the engines of the policy projects. They have libraries, patches
   * and rules that no kube-apiserver has.
   */
  it('get verdicts that differ from an expectation exactly if the verdict of Kubernetes differs', { timeout: 300_000 }, async () => {
    const golden = linesOfFile(GOLDEN)[Symbol.asyncIterator]();
    const [ours, oracles]: [string[], string[]] = [[], []];
    let expectations = 0;
    for await (const line of linesOfFile(CASES)) {
      const verdict = await golden.next();
      const reading = readJson(line);
      if (!reading.ok || !isJsonObject(reading.value) || verdict.done === true) throw new Error('a case without a verdict');
      const { expected, id } = reading.value;
      if (expected === undefined) continue;
      expectations++;
      if (agrees(expected, JSON.parse(verdict.value) as Record<string, unknown>) === false) oracles.push(String(id));
      if (agrees(expected, judged(reading.value)) === false) ours.push(String(id));
    }
    expect([expectations, oracles.length]).toEqual([1586, 34]);
    expect(ours).toEqual(oracles);
  });
});
