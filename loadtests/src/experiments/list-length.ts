import type { GoListFigures } from '../engines/go-kep-lists.ts';
import { measureGoLists } from '../engines/go-kep-lists.ts';
import { buildGoValidator } from '../engines/go-validator.ts';
import { goEngines, NODE_ENGINES } from '../engines/measure-engines.ts';
import { sentence } from '../result/sentence.ts';
import { measureLines } from '../study/study.ts';
import type { CaseFigures } from '../study/study.ts';
import { KEP_LISTS } from '../workloads/list-workload.ts';
import type { Experiment, Findings } from './experiment.ts';
import { engineFindings, measureCases } from './list-length/engines.ts';
import { KEP_LINES, kepFindings } from './list-length/kep-lists.ts';

/** Lists through the write path, and rules in all engines, as far as the lab got. */
export interface ListLengthData {
  readonly lists: readonly CaseFigures[];
  /** The same lists in Go; empty if it was not measured. */
  readonly goLists: readonly GoListFigures[];
  /** Rules of several shapes: a line a rule and engine. */
  readonly cases: readonly CaseFigures[];
  /** Why Go was not measured. */
  readonly noGo: string | undefined;
}

/** KEP-2876's experiment: does one rule over the longest possible list stay within the time that the KEP allows? */
export const listLength: Experiment<ListLengthData> = {
  name: 'list-length',
  question: 'How does the time of one rule grow with the list, and where do the limits cut in?',
  async measure(lab) {
    const lists = await measureLines(lab, KEP_LINES);
    const go = lab.thoroughness === 'full' ? buildGoValidator() : 'only in full runs';
    if (typeof go === 'string') return { lists, goLists: [], cases: await measureCases(lab, NODE_ENGINES), noGo: go };
    try {
      lab.say('the same lists in Go');
      const goLists = measureGoLists(KEP_LISTS, go);
      return { lists, goLists, cases: await measureCases(lab, [...NODE_ENGINES, ...goEngines(go)]), noGo: undefined };
    } finally {
      go.close();
    }
  },
  findings,
};

function findings({ lists, goLists, cases, noGo }: ListLengthData): Findings {
  const [kep, engines] = [kepFindings(lists, goLists), engineFindings(cases)];
  return {
    finding: sentence([kep.finding, engines.finding]),
    charts: [...kep.charts, ...engines.charts],
    tables: kep.tables,
    claims: [...kep.claims, ...engines.claims],
    gates: [...kep.gates, ...engines.gates],
    cells: [...kep.cells, ...engines.cells],
    notes: noGo === undefined ? [] : [`Go was not measured: ${noGo}.`],
  };
}
