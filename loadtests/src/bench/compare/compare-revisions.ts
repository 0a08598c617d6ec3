import { loadavg } from 'node:os';
import { fixedText } from '#numbers';
import type { Concluded } from '../../measure/compare-rounds.ts';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { PROJECT } from '../../places.ts';
import type { BenchTable } from '../bench-table.ts';
import { buildRevision } from './build-revision.ts';
import { compareFigures } from './compare-figures.ts';
import type { ComparedFigure } from './compare-figures.ts';
import { FIGURES } from './figures.ts';
import { measureRevision } from './measure-revision.ts';
import type { RevisionProcess } from './measure-revision.ts';
import { measureService, REQUEST_FIGURES } from './request-figures.ts';

const ROUNDS = { quick: 12, full: 40 } as const;
const WARM_UPS = 5;
const SEED = 1;

/**
 * Compares this revision with another one: build the other revision → start a process for each revision → measure in alternating rounds →
 * compute ratios. A figure fails if the whole confidence interval of its time ratio is above `bound`.
 */
export async function compareRevisions(revision: string, bound: number, quick: boolean): Promise<BenchTable> {
  const other = buildRevision(PROJECT, revision);
  const running: RevisionProcess[] = [];
  try {
    const [rounds, random] = [ROUNDS[quick ? 'quick' : 'full'], seededRandom(SEED)];
    const compare = async (
      start: (folder: string) => Promise<RevisionProcess>,
      figures: readonly string[],
    ): Promise<readonly ComparedFigure[]> => {
      const [ours, theirs] = [await start(PROJECT), await start(other.folder)];
      running.push(ours, theirs);
      // Each figure runs several times first, so that the compiler has optimized the code.
      for (const figure of figures) for (const { measure } of [ours, theirs]) for (let i = 0; i < WARM_UPS; i++) await measure(figure);
      return compareFigures(ours.measure, theirs.measure, { figures, rounds, bound, random });
    };
    const compared = [...(await compare(measureRevision, FIGURES)), ...(await compare(measureService, REQUEST_FIGURES))];
    return {
      columns: ['figure', `÷ ${other.commit.slice(0, 10)}`, '95 % interval', 'verdict'],
      rows: compared.map(({ figure, beside }) =>
        beside.kind === 'tooFew'
          ? [figure, fixedText(beside.ratio, 3), '', '']
          : [figure, beside.ratio.toFixed(3), `${beside.lo.toFixed(3)} to ${beside.hi.toFixed(3)}`, verdictOf(beside)],
      ),
      wanted: compared.map(({ figure, beside }) => ({
        name: `${figure}: lower end of the interval`,
        value: beside.kind === 'tooFew' ? undefined : beside.lo,
        most: bound,
      })),
      notes: [
        `CPU time of this revision divided by that of ${revision}, median of ${rounds} rounds that took both in turns; load ${loadavg()[0]?.toFixed(1) ?? 'unknown'}.`,
      ],
    };
  } finally {
    for (const { stop } of running) await stop();
    other.remove();
  }
}

function verdictOf(beside: Concluded): string {
  if (beside.verdict === 'slower') return 'regression';
  if (beside.hi < 1) return 'faster';
  return beside.lo > 1 ? 'slower, within the bound' : 'no difference';
}
