import { measureGoLists } from '../engines/go-kep-lists.ts';
import { buildGoValidator } from '../engines/go-validator.ts';
import { goEngines, NODE_ENGINES } from '../engines/measure-engines.ts';
import { studyOf } from '../study/study-report.ts';
import { measureLines } from '../study/study.ts';
import { KEP_LISTS } from '../workloads/list-workload.ts';
import { engineConclusions, measureCases } from './list-length/engines.ts';
import { KEP_LINES, kepConclusions } from './list-length/kep-lists.ts';

/** KEP-2876's experiment: does one rule over the longest possible list stay within the time that the KEP allows? */
export const listLength = studyOf({
  name: 'list-length',
  question: 'How does the time of one rule grow with the list, and where do the limits cut in?',
  lines: KEP_LINES,
  async measure(lab) {
    const lists = await measureLines(lab, KEP_LINES);
    const go = lab.thoroughness === 'full' ? buildGoValidator() : 'only in full runs';
    if (typeof go === 'string') {
      lab.say(`Go is not measured: ${go}`);
      return [...lists, ...(await measureCases(lab, NODE_ENGINES))];
    }
    try {
      lab.say('the same lists in Go');
      return [...lists, ...measureGoLists(KEP_LISTS, go), ...(await measureCases(lab, [...NODE_ENGINES, ...goEngines(go)]))];
    } finally {
      go.close();
    }
  },
  conclude(cases) {
    const [kep, engines] = [kepConclusions(cases), engineConclusions(cases)];
    return {
      ...kep,
      finding: [...kep.finding, ...engines.finding],
      charts: [...kep.charts, ...engines.charts],
      claims: [...kep.claims, ...engines.claims],
      gates: engines.gates,
      notes: ['Go is measured in full runs, where Go and shared/bench-peers are at hand.'],
    };
  },
});
