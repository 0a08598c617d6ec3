import { bytesText, rangeText, timeText } from '#numbers';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { ACCEPTED, judgingWork } from '../study/judging-work.ts';
import { growthChart, numberOf, studyOf, timeOf } from '../study/study-report.ts';
import { compiled } from '../workloads/judging.ts';
import { largeAppsBody, LARGE_APPS } from '../workloads/large-apps.ts';

/** Experiment about the cost of a schema without rules as objects grow. */
export const objectSize = studyOf({
  name: 'object-size',
  question: 'How long does it take to judge an object whose schema has no rules, and how does this time grow with the bytes of the object?',
  lines: [
    {
      name: 'structures',
      sizes: { quick: [5, 500, 5000], full: [5, 50, 500, 5000, 15_000] },
      expected: ACCEPTED,
      work(apps) {
        const body = largeAppsBody(apps);
        const text = body.toString();
        const work = judgingWork(compiled(LARGE_APPS), body);
        return { ...work, runs: { ...work.runs, 'JSON.parse': () => JSON.parse(text) as unknown } };
      },
    },
  ],
  conclude(cases) {
    const sized = measured(cases, (one) => numberOf(one, 'bytes')).map(({ item, value }) => ({ ...item, size: value }));
    const largest = measured(sized, (one) => timeOf(one, 'whole')).at(-1);
    const speed = quotient(largest?.item.size, largest && largest.value / 1000);
    const times = extent(sized.map((one) => quotient(timeOf(one, 'whole'), timeOf(one, 'JSON.parse'))));
    const x = { label: 'bytes of the object', unit: 'bytes' } as const;
    return {
      finding: [
        largest &&
          `without rules, Assay judges an object of ${bytesText(largest.item.size)} in ${timeText(largest.value)}${speed === undefined ? '' : ` (${bytesText(speed)}/s)`}`,
        times && `a write takes ${rangeText(times, (value) => value.toFixed(1))} times as long as JSON.parse of the same bytes`,
      ],
      charts: [
        growthChart({
          id: 'growth',
          title: ['Time from bytes to verdict', 'the size of the object'],
          subtitle:
            'Time from the bytes of an object to its verdict; median of the rounds. The object is a list of structures with names, images, labels and ports. Its schema has patterns, bounds, enums and a default.',
          x,
          lines: [
            { name: 'bytes to verdict', role: 'assay', cases: sized, what: 'whole' },
            { name: 'bytes to verdict, exact way', role: 'experiment', cases: sized, what: 'exact' },
            { name: 'JSON.parse alone', role: 'reference', cases: sized, what: 'JSON.parse' },
          ],
          reading:
            'The line of JSON.parse is for comparison. JSON.parse does other work than judging: it does not distinguish 1 from 1.0, and does not find duplicate keys.',
          notShown: 'HTTP, and the time that an object waits for a thread.',
        }),
        growthChart({
          id: 'phases',
          title: 'Time of each step of the exact way',
          subtitle:
            'Time of each step; median of the rounds. The exact way is the general implementation of Assay. The fast generated reader has no such steps, because it does everything in one pass.',
          x,
          lines: [
            { name: 'parse', role: 'assay', cases: sized, what: 'parse' },
            { name: 'prune and default', role: 'experiment', cases: sized, what: 'prune' },
            { name: 'OpenAPI', role: 'shipped', cases: sized, what: 'openapi' },
            { name: 'list types', role: 'reference', cases: sized, what: 'lists' },
          ],
          reading: 'If the lines of two steps are parallel, their shares of the whole time are the same at all sizes.',
          notShown: 'what each step does (see docs/contributing/architecture.md).',
        }),
      ],
    };
  },
});
