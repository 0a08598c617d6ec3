import { spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isJsonObject, readJson } from '#go';
import { isMinor, LATEST_MINOR, readFeatureGates } from '#kube';
import { answersOf, Bench } from './bench.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { comparePolicyVerdicts } from './policy/compare-policy-verdicts.ts';
import { readJudgingEngine } from './judging-engine.ts';
import { linesOf, linesOfFile } from './read-lines.ts';
import { member } from './canonical-text.ts';
import type { VerdictValue } from './canonical-text.ts';

/** Asks a built oracle and us about cases of your own, and shows where we differ. docs/conformance.md tells how to build one. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    oracle: { type: 'string' },
    kubernetes: { type: 'string', default: LATEST_MINOR },
    crds: { type: 'string', default: '.' },
    'feature-gates': { type: 'string', default: '' },
    engine: { type: 'string', default: 'adaptive' },
    policies: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const oracle = values.oracle ?? process.env['ASSAY_ORACLE'];
const engine = readJudgingEngine(values.engine);
const gates = readFeatureGates(values['feature-gates']);
if (!file || !oracle || !existsSync(oracle) || !isMinor(values.kubernetes) || !gates.ok || engine === undefined) {
  process.stderr.write(
    'usage: npm run oracle-diff -- FILE --oracle PATH [--kubernetes 1.37] [--crds FOLDER] [--feature-gates A=false] [--engine compiled|interpreted|adaptive] [--policies]   (or ASSAY_ORACLE=PATH)\n',
  );
  process.exit(2);
}
const child = spawn(oracle, values.policies ? [] : ['-crds', values.crds], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, GATES: values['feature-gates'] },
});
createReadStream(file).pipe(child.stdin);
const bench = new Bench({ kind: 'verdict', minor: values.kubernetes, crdFolder: values.crds, gates: gates.gates, engine }, (_, why) =>
  JSON.stringify({ oracleError: why }),
);
const ours = answersOf([bench], linesOfFile(file));
let cases = 0;
let differing = 0;
/** Cases that are no writes, such as those whose definition no server would serve. */
let unjudged = 0;
for await (const line of linesOf(child.stdout)) {
  const answer = await ours.next();
  const golden = parsed(line);
  const own = answer.done ? { oracleError: 'no answer' } : parsed(answer.value);
  cases++;
  if (member(golden, 'oracleError') !== undefined && member(own, 'oracleError') !== undefined) {
    unjudged++;
    continue;
  }
  const comparison = (values.policies ? comparePolicyVerdicts : compareVerdicts)(golden, own, []);
  if (comparison.exact) continue;
  differing++;
  process.stdout.write(`${line.slice(0, 120)}\n`);
  for (const { aspect, golden: theirs, ours: own } of comparison.differences)
    process.stdout.write(`  ${aspect}\n    oracle ${theirs}\n    ours   ${own}\n`);
}
bench.close();
process.stdout.write(`${cases} cases, ${differing} differ${unjudged === 0 ? '' : `, ${unjudged} that neither judges`}\n`);
process.exit(differing === 0 ? 0 : 1);

function parsed(line: string): VerdictValue {
  const reading = readJson(line);
  return reading.ok && isJsonObject(reading.value) ? reading.value : {};
}
