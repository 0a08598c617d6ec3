import { loadavg } from 'node:os';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { PROJECT } from '../../places.ts';
import type { BenchTable } from '../bench-table.ts';
import { buildRevision } from './build-revision.ts';
import { compareFigures } from './compare-figures.ts';
import { FIGURES } from './figures.ts';
import { measureRevision } from './measure-revision.ts';
import type { RevisionProcess } from './measure-revision.ts';

const ROUNDS = { quick: 12, full: 40 } as const;
const SEED = 1;

/** PLOT: build the other revision → a process for each → rounds in turns → ratios; a figure whose whole interval is above the bound is a failed gate. */
export async function compareRevisions(revision: string, bound: number, quick: boolean): Promise<BenchTable> {
  const other = buildRevision(PROJECT, revision);
  const running: RevisionProcess[] = [];
  try {
    for (const folder of [PROJECT, other.folder]) running.push(await measureRevision(folder));
    const [ours, theirs] = running;
    if (!ours || !theirs) throw new Error('two revisions are compared');
    // What is measured first is not what lasts: once through everything, for the compiler.
    for (const figure of FIGURES) for (const { measure } of running) for (let i = 0; i < 5; i++) await measure(figure);
    const rounds = ROUNDS[quick ? 'quick' : 'full'];
    const compared = await compareFigures(ours.measure, theirs.measure, {
      figures: FIGURES,
      rounds,
      bound,
      random: seededRandom(SEED),
      seed: SEED,
    });
    return {
      columns: ['figure', `÷ ${other.commit.slice(0, 10)}`, '95 % interval', 'verdict'],
      rows: compared.map(({ figure, ratio, regressed }) =>
        ratio === undefined
          ? [figure, 'not measured', '', '']
          : [figure, ratio.ratio.toFixed(3), `${ratio.lo.toFixed(3)} to ${ratio.hi.toFixed(3)}`, verdictOf(ratio, regressed)],
      ),
      failedGates: compared.filter(({ regressed }) => regressed).map(({ figure }) => `${figure}: slower than ${bound} times ${revision}`),
      unmeasuredGates: compared.filter(({ ratio }) => ratio === undefined).map(({ figure }) => figure),
      notes: [
        `CPU time of this revision divided by that of ${revision}, median of ${rounds} rounds that took both in turns; load ${loadavg()[0]?.toFixed(1) ?? 'unknown'}.`,
      ],
    };
  } finally {
    for (const process of running) process.stop();
    other.remove();
  }
}

function verdictOf({ lo, hi }: { readonly lo: number; readonly hi: number }, regressed: boolean): string {
  if (regressed) return 'regression';
  if (hi < 1) return 'faster';
  return lo > 1 ? 'slower, within the bound' : 'no difference';
}
