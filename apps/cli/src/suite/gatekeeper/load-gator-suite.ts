import { writeJson, yamlLines } from '#go';
import type { JsonObject } from '#go';
import { problemsOf } from '#evaluation';
import { UsageError } from '../../usage.ts';
import type { RequestBatch, RequestSuite, SuiteCase } from '../request-suite.ts';
import { madeInput, plain, SuiteFiles } from '../suite-files.ts';
import { constraintPolicy } from './constraint-policy.ts';
import { gatorSuite } from './gator-suite.ts';
import type { GatorCase, GatorTest } from './gator-suite.ts';
import { judgeViolations } from './judge-violations.ts';

/** Loads a suite of `gator verify`: each of its tests is a batch under the policy that Gatekeeper makes of its template and constraint. */
export function loadGatorSuite(file: string, text: string, value: JsonObject): RequestSuite {
  const parsed = gatorSuite.safeParse(plain(value));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'suite').join('; ')}`);
  const { metadata, tests, skip } = parsed.data;
  const files = new SuiteFiles(file, text);
  const lineAt = yamlLines(text);
  const batches = tests.map((test, i) => batchOf(skip ? { ...test, skip } : test, files, (path) => lineAt(['tests', i, ...path])));
  if (batches.every(({ cases }) => cases.length === 0)) throw new UsageError(`${file}: holds no case`);
  return { kind: 'requests', file, name: metadata?.name ?? file, batches, files: files.names, digest: files.digest };
}

type LineAt = (path: readonly (string | number)[]) => number | undefined;

function batchOf(test: GatorTest, files: SuiteFiles, lineAt: LineAt): RequestBatch {
  if (test.invalid) {
    const notSupported = 'whether a constraint fits the schema of its template is not judged';
    return { inputs: [], cases: [{ name: `${test.name}: invalid`, line: lineAt([]), notSupported }] };
  }
  const constraint = files.document(test.constraint);
  const made = constraintPolicy(plain(files.document(test.template)), constraint);
  const refusal = test.skip ? SKIPPED : test.expansion ? 'expansion templates' : made.ok ? undefined : made.notSupported;
  const place = (i: number): { readonly line: number | undefined } => ({ line: lineAt(['cases', i]) });
  const named = ({ name }: GatorCase): string => `${test.name}: ${name}`;
  if (refusal !== undefined || !made.ok)
    return { inputs: [], cases: test.cases.map((one, i) => ({ name: named(one), ...place(i), notSupported: refusal ?? '' })) };
  const cases = test.cases.map((one, i): SuiteCase => {
    const common = { name: named(one), ...place(i) };
    if (one.skip) return { ...common, notSupported: SKIPPED };
    return {
      ...common,
      item: writeJson(files.document(one.object)),
      end: (verdict) => judgeViolations(verdict, one.assertions, made.policy),
    };
  });
  const inventory = new Set(test.cases.flatMap((one) => one.inventory));
  return {
    inputs: [madeInput(`${test.template} with ${test.constraint}`, made.documents), ...[...inventory].map((name) => files.input(name))],
    cases,
    takesAnyKind: true,
  };
}

const SKIPPED = 'the suite skips it';
