import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition, loneRules } from '#crd';
import { readFirstDocument } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { thorough } from '../../../../testing/thorough.ts';
import { StudiedDefinition } from '../cells/studied-definition.ts';
import type { RuleStudy } from './rule-study.ts';
import { studyRule } from './study-rule.ts';

const CORPORA = resolve(import.meta.dirname, '../../../../../shared/corpora');
/** Sampling step: every 25th file is studied. `MAX_RULES` is the maximum number of rules that are studied per definition. */
const EVERY = 25;
const MAX_RULES = 10;
/** Time limit per rule, in ms. */
const RULE_MS = 800;

/** Studies distinct rules of a sample of real definitions. */
function* studies(): Generator<RuleStudy> {
  const files = ['crds', 'suites/crds'].flatMap((folder) =>
    readdirSync(join(CORPORA, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .toSorted()
      .map((file) => join(CORPORA, folder, file)),
  );
  for (const file of files.filter((_, i) => i % EVERY === 0)) {
    const reading = readFirstDocument(readFileSync(file));
    if (!reading.ok) throw new Error(`${file}: ${reading.error}`);
    const outcome = compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE });
    if (!outcome.ok) continue;
    const seen = new Set<string>();
    const studied = new StudiedDefinition(outcome.definition);
    for (const name of outcome.definition.versions) {
      const served = outcome.definition.serve(name);
      for (const { path, rule } of served?.ok === true ? loneRules(served.version) : []) {
        const found = studied.find({ version: name, path });
        if (rule.program === undefined || found === undefined || seen.has(rule.source.rule) || seen.size >= MAX_RULES) continue;
        seen.add(rule.source.rule);
        yield studyRule(found.rule, found.among, { ms: RULE_MS, now: () => performance.now(), random: seededRandom(1) });
      }
    }
  }
}

describe.skipIf(!existsSync(CORPORA) || !thorough)('rules of real definitions', () => {
  it(
    'have generated values (99 %), accepted writes (85 %), and most expensive writes if their cost grows (60 %)',
    { timeout: 600_000 },
    () => {
      const counts = { rules: 0, valued: 0, accepted: 0, growing: 0, grown: 0 };
      for (const study of studies()) {
        counts.rules += 1;
        if (study.kind !== 'studied') continue;
        counts.valued += 1;
        if (study.costliest !== undefined) counts.accepted += 1;
        if (!study.growsWith.some(({ growth }) => growth.kind === 'grows' && growth.exponent > 0)) continue;
        counts.growing += 1;
        if (study.costliest !== undefined) counts.grown += 1;
      }
      process.stdout.write(`${JSON.stringify(counts)}\n`);
      expect(counts.rules).toBeGreaterThan(80);
      expect(counts.valued / counts.rules).toBeGreaterThanOrEqual(0.99);
      expect(counts.accepted / counts.rules).toBeGreaterThanOrEqual(0.85);
      expect(counts.grown / counts.growing).toBeGreaterThanOrEqual(0.6);
    },
  );
});
