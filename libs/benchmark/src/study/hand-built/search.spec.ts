import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileStoredDefinition } from '#crd';
import { readFirstDocument } from '#go';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { thorough } from '../../../../../testing/thorough.ts';
import { StudiedDefinition } from '../../cells/studied-definition.ts';
import { seededRandom } from '../../figures/sample-rounds.ts';
import { studyRule } from '../study-rule.ts';
import { HAND_BUILT } from './all.ts';
import type { HandBuilt } from './hand-built.ts';

const CORPORA = resolve(import.meta.dirname, '../../../../../../shared/corpora');
/** Time limit per rule, in ms. Most searches end sooner. */
const RULE_MS = 15_000;
/**
 * Minimum share of a hand-built write's cost that a search must find. `RULES` is the minimum number of rules, out of twenty, for which a
 * search must succeed.
 */
const [SHARE, RULES] = [0.8, 18];

/** Returns the cost of the most expensive write that a search finds. */
function costFound(built: HandBuilt): number {
  const reading = readFirstDocument(readFileSync(join(CORPORA, built.file)));
  if (!reading.ok) throw new Error(reading.error);
  const outcome = compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  const found = new StudiedDefinition(outcome.definition).find(built);
  if (found === undefined) throw new Error(`${built.path} is not there`);
  const study = studyRule(found.rule, found.among, { ms: RULE_MS, now: () => performance.now(), random: seededRandom(1) });
  return study.kind === 'studied' ? (study.costliest?.cost ?? 0) : 0;
}

describe.skipIf(!existsSync(CORPORA) || !thorough)('the search for the most expensive write', () => {
  it(`finds at least ${100 * SHARE} % of the cost of the hand-built write for ${RULES} of 20 rules`, { timeout: 600_000 }, () => {
    const shares = HAND_BUILT.map((built) => ({ rule: `${built.file} ${built.path}`, share: costFound(built) / built.cost }));
    for (const { rule, share } of shares) process.stdout.write(`${share.toFixed(2)} ${rule}\n`);
    expect(shares.filter(({ share }) => share >= SHARE).length).toBeGreaterThanOrEqual(RULES);
  });
});
