import { loadavg } from 'node:os';
import { fixedText } from '#numbers';
import type { Concluded } from '../../measure/compare-rounds.ts';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { PROJECT } from '../../places.ts';
import type { BenchTable } from '../bench-table.ts';
import { buildRevision } from './build-revision.ts';
import { compareFigures } from './compare-figures.ts';
import type { ComparedFigure, Comparison, RevisionProcess } from './compare-figures.ts';
import { FIGURES } from './figures.ts';
import { measureRevision } from './measure-revision.ts';
import { measureService, REQUEST_FIGURES } from './request-figures.ts';

/** Number of processes of each revision. Six are the fewest from which an interval can be computed. */
const PROCESSES = { quick: 7, full: 21 } as const;
/** Number of measurements of a figure in each process. The warm-ups do not count. */
const [LIBRARY_ROUNDS, REQUEST_ROUNDS] = [
  { warmUps: 5, rounds: 5 },
  { warmUps: 1, rounds: 2 },
] as const;
const SEED = 1;

/**
 * Compares this revision with another one. Builds the other revision, then starts a process of each revision and measures both in turns. New
 * processes repeat this, and each pair of processes gives one ratio. A figure fails if the whole confidence interval of its time ratio is above `bound`.
 */
export async function compareRevisions(revision: string, bound: number, quick: boolean): Promise<BenchTable> {
  const other = buildRevision(PROJECT, revision);
  try {
    const [processes, random] = [PROCESSES[quick ? 'quick' : 'full'], seededRandom(SEED)];
    const compare = (
      start: (folder: string) => Promise<RevisionProcess>,
      figures: readonly string[],
      rounds: Pick<Comparison, 'rounds' | 'warmUps'>,
    ): Promise<readonly ComparedFigure[]> =>
      compareFigures({ ours: () => start(PROJECT), other: () => start(other.folder) }, { figures, processes, ...rounds, bound, random });
    const compared = [
      ...(await compare(measureRevision, FIGURES, LIBRARY_ROUNDS)),
      ...(await compare(measureService, REQUEST_FIGURES, REQUEST_ROUNDS)),
    ];
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
        `CPU time of this revision divided by that of ${revision}, median of ${processes} pairs of processes, which were measured in turns; load ${loadavg()[0]?.toFixed(1) ?? 'unknown'}.`,
      ],
    };
  } finally {
    other.remove();
  }
}

function verdictOf(beside: Concluded): string {
  if (beside.verdict === 'slower') return 'regression';
  if (beside.hi < 1) return 'faster';
  return beside.lo > 1 ? 'slower, within the bound' : 'no difference';
}
