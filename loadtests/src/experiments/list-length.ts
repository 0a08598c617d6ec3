import { measureGoLists } from '../engines/go-kep-lists.ts';
import { buildGoValidator } from '../engines/go-validator.ts';
import { studyOf } from '../study/study-report.ts';
import { measureLines } from '../study/study.ts';
import { KEP_LISTS } from '../workloads/list-workload.ts';
import { ENGINE_LINES, engineConclusions, measureGoEngines } from './list-length/engines.ts';
import { KEP_LINES, kepConclusions } from './list-length/kep-lists.ts';

const LINES = [...KEP_LINES, ...ENGINE_LINES];

/** Experiment of KEP-2876. It answers whether one rule over the longest possible list stays within the time that the KEP allows. */
export const listLength = studyOf({
  name: 'list-length',
  question: 'How does the time of one rule grow with the length of the list, and at which length do the cost limits stop the rule?',
  lines: LINES,
  async measure(lab) {
    const cases = await measureLines(lab, LINES);
    const go = lab.thoroughness === 'full' ? buildGoValidator() : 'only in full runs';
    if (typeof go === 'string') {
      lab.say(`Go is not measured: ${go}`);
      return cases;
    }
    try {
      lab.say('the same lists in Go');
      return [...cases, ...measureGoLists(KEP_LISTS, go), ...(await measureGoEngines(lab, go))];
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
      notes: ['The load lab measures Go only in full runs, if Go is installed and the folder `shared/bench-peers` exists.'],
    };
  },
});
