import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from '#go';
import { isMinor, LATEST_MINOR, MINORS } from '#kube';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { defaultContext } from './case-context.ts';
import { judgeCase } from './judge-case.ts';
import { gatorCases, readGatorSuite } from './policy/gatekeeper/gator-cases.ts';
import { judgeViolations } from './policy/gatekeeper/judge-violations.ts';

const USAGE = `usage: npm run tool -- gator FOLDER [--kubernetes ${LATEST_MINOR}] [--cases]

Judges the suites of \`gator verify\` below a folder, such as a clone of open-policy-agent/gatekeeper-library: those of templates in CEL, as the policies
and bindings that Gatekeeper makes of them. --cases: print the cases in the oracle's protocol instead. Exit code: 0 all pass, 1 some fail, 2 wrong usage.
`;
const { values, positionals } = programArguments(
  USAGE,
  { kubernetes: { type: 'string', default: LATEST_MINOR }, cases: { type: 'boolean', default: false } },
  'operands',
);
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) wrongArguments('name one folder', USAGE);
if (!existsSync(folder)) wrongArguments(`there is no folder ${folder}`, USAGE);
const minor = isMinor(values.kubernetes) ? values.kubernetes : wrongArguments(`--kubernetes must be one of ${MINORS.join(', ')}`, USAGE);
const context = defaultContext(minor);
const counts = { passed: 0, failed: 0 };
const reasons = new Map<string, number>();
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('suite.yaml'));
for (const file of files.sort()) {
  const path = join(folder, file);
  const suite = readGatorSuite(path);
  for (const peerCase of suite === undefined ? [] : gatorCases(path, suite)) {
    if ('notSupported' in peerCase) {
      reasons.set(peerCase.notSupported, (reasons.get(peerCase.notSupported) ?? 0) + 1);
      continue;
    }
    const { id, requested, assertions } = peerCase;
    if (values.cases) {
      process.stdout.write(`${writeJson(requested)}\n`);
      continue;
    }
    const problem = judgeViolations(judgeCase(requested, context), assertions);
    counts[problem === undefined ? 'passed' : 'failed']++;
    if (problem !== undefined) process.stdout.write(`${id}\n  ${problem}\n`);
  }
}
if (!values.cases) {
  const left = [...reasons].map(([reason, count]) => `  ${count} × ${reason}\n`);
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed; not judged:\n${left.join('')}`);
}
process.exitCode = counts.failed > 0 ? 1 : 0;
