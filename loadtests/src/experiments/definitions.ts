import type { JsonObject } from '#go';
import { bytesText, countText, timeText } from '#numbers';
import { collectedHeap } from '../measure/collected-heap.ts';
import { measured, quotient } from '../measure/quotient.ts';
import { medianCell } from '../result/report-cell.ts';
import { compilingWork } from '../study/judging-work.ts';
import { casesOf, growthChart, numberOf, studyOf, timeCells, timeOf } from '../study/study-report.ts';
import { compiledToServe, parsed } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';

/** Number of fields in each definition when many definitions are kept in memory together. Each field has a rule. */
const RESIDENT_FIELDS = 40;
const TEXT = { type: 'string', maxLength: 30 };

/** Experiment about the cost of a definition before the first object arrives. */
export const definitions = studyOf({
  name: 'definitions',
  question:
    'How much time does Assay need to compile a definition with many rules or versions, and how much memory do many definitions need?',
  lines: [
    {
      name: 'rules',
      sizes: { quick: [0, 10, 100, 1000], full: [0, 10, 30, 100, 300, 1000, 3000] },
      work: (count) => compilingWork(count === 0 ? fieldsDefinition(1, () => TEXT) : ruledDefinition(count)),
    },
    {
      name: 'versions',
      sizes: { quick: [1, 4], full: [1, 2, 4, 8, 16] },
      work: (count) => compilingWork(withVersions(ruledDefinition(100), count)),
    },
    {
      name: 'resident',
      sizes: { quick: [20], full: [20, 100, 500] },
      work: (count) => ({ after: async () => ({ facts: { bytes: await residentBytes(count) } }) }),
    },
  ],
  conclude(cases) {
    const ruled = casesOf(cases, 'rules').filter(({ size }) => size > 0);
    const resident = casesOf(cases, 'resident');
    const most = measured(ruled, (one) => timeOf(one, 'compile')).at(-1);
    const last = resident.at(-1);
    return {
      finding: [
        `time that one rule of ${most === undefined ? 'a definition' : countText(most.item.size)} adds to the compile time: ${timeText(quotient(most?.value, most?.item.size))}`,
        `memory of a compiled definition with ${RESIDENT_FIELDS} rules: ${bytesText(last && quotient(numberOf(last, 'bytes'), last.size))}`,
      ],
      charts: [
        growthChart({
          id: 'growth',
          title: ['Compile time', 'the number of rules'],
          subtitle:
            'Time to decode a definition, to check it with all cost estimates, and to compile it. The time to read its YAML or JSON is not included. The code was warm (it had run before); median of the rounds.',
          x: { label: 'rules, or versions of 100 rules each', unit: 'count' },
          y: { label: 'time to compile', unit: 'ms' },
          lines: [
            { name: 'by rules', role: 'assay', cases: ruled, what: 'compile' },
            { name: 'by versions', role: 'experiment', cases: casesOf(cases, 'versions'), what: 'compile' },
          ],
          reading:
            'Versions with the same schema share only the parsing of their rules. With fewer than ten rules, most of the time is spent on the schema.',
          notShown:
            'reading the YAML or JSON, and the five real definitions with the most rules. `npm run bench -- definitions` compares these with Go.',
        }),
      ],
      cells: [
        ...timeCells(cases),
        ...resident.flatMap((one) => medianCell({ id: `${one.size} resident`, unit: 'bytes', samples: [numberOf(one, 'bytes')] })),
      ],
    };
  },
});

const ruledDefinition = (fields: number): JsonObject =>
  fieldsDefinition(fields, (i) => withRules(TEXT, [`self.startsWith('v${i}') || self.size() > ${i % 20}`]));

function withVersions(document: JsonObject, count: number): JsonObject {
  const { spec, ...rest } = document as { spec: { versions: object[] } };
  const versions = Array.from({ length: count }, (_, i) => ({ ...spec.versions[0], name: `v${i + 1}`, storage: i === 0 }));
  return parsed({ ...rest, spec: { ...spec, versions } });
}

/**
 * Measures the heap bytes that `count` different definitions occupy. Returns undefined if the garbage collection during the measurement
 * freed more memory than the definitions occupy.
 */
async function residentBytes(count: number): Promise<number | undefined> {
  const before = await collectedHeap();
  const field = (of: number) => (i: number) => withRules(TEXT, [`self.startsWith('v${i}-${of}') || self.size() > 3`]);
  const held = Array.from({ length: count }, (_, i) => compiledToServe(fieldsDefinition(RESIDENT_FIELDS, field(i))));
  const bytes = (await collectedHeap()) - before;
  // This test uses `held`, so that the definitions stay in memory until `collectedHeap` has counted them.
  if (held.length !== count) throw new Error('definitions are missing');
  return bytes > 0 ? bytes : undefined;
}
