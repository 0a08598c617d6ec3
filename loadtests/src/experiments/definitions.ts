import { compileDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import { NODE_ENGINE } from '#runner/linker';
import { bytesText, countText, growthText, plotted, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab, Choice } from '../lab.ts';
import { growthOf } from '../measure/growth.ts';
import { collectedHeap } from '../measure/collected-heap.ts';
import { median } from '#benchmark';
import { measured, quotient } from '../measure/quotient.ts';
import { warmUp } from '../measure/warm-up.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { timed } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

const RULE_COUNTS: Choice<readonly number[]> = {
  quick: [0, 10, 100, 1000],
  full: [0, 10, 30, 100, 300, 1000, 3000],
};
const VERSION_COUNTS: Choice<readonly number[]> = { quick: [1, 4], full: [1, 2, 4, 8, 16] };
const RESIDENT: Choice<readonly number[]> = { quick: [20], full: [20, 100, 500] };
const ROUNDS = { quick: 5, full: 15 } as const;
/** Fields of the definitions that lie in memory together, each with a rule. */
const RESIDENT_FIELDS = 40;

/** Definitions that were compiled, as far as the lab got. */
export interface DefinitionsData {
  readonly byRules: readonly Compiled[];
  readonly byVersions: readonly Compiled[];
  readonly resident: readonly { readonly count: number; readonly bytes: number | undefined }[];
}

/** Measures what a definition costs before the first object comes. */
export const definitions: Experiment<DefinitionsData> = {
  name: 'definitions',
  question: 'What do rules, versions and many definitions cost in compile time and memory?',
  async measure(lab) {
    const byRules: Compiled[] = [];
    for await (const count of lab.each(lab.of(RULE_COUNTS)))
      byRules.push(compileRounds(lab, count, ruledDefinition(Math.max(1, count), count > 0)));
    const byVersions: Compiled[] = [];
    for await (const count of lab.each(lab.of(VERSION_COUNTS)))
      byVersions.push(compileRounds(lab, count, withVersions(ruledDefinition(100, true), count)));
    const resident: DefinitionsData['resident'][number][] = [];
    for await (const count of lab.each(lab.of(RESIDENT))) {
      lab.say(`${count} definitions in memory`);
      resident.push({ count, bytes: await residentBytes(count) });
    }
    return { byRules, byVersions, resident };
  },
  findings,
};

/** Times to compile a definition with so many rules, or versions. */
interface Compiled {
  readonly count: number;
  /** ms of each round. */
  readonly ms: readonly number[];
}

function ruledDefinition(fields: number, ruled: boolean): JsonObject {
  const text = { type: 'string', maxLength: 30 };
  return fieldsDefinition(fields, (i) => (ruled ? withRules(text, [`self.startsWith('v${i}') || self.size() > ${i % 20}`]) : text));
}

function withVersions(document: JsonObject, count: number): JsonObject {
  const spec = document['spec'] as JsonObject;
  const [version] = spec['versions'] as JsonObject[];
  const versions = Array.from({ length: count }, (_, i) =>
    Object.assign(Object.create(null) as JsonObject, version, { name: `v${i + 1}`, storage: i === 0 }),
  );
  return Object.assign(Object.create(null) as JsonObject, document, {
    spec: Object.assign(Object.create(null) as JsonObject, spec, { versions }),
  });
}

function compile(document: JsonObject): CompiledDefinition {
  const outcome = compileDefinition(document, { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(outcome.status.message);
  for (const version of outcome.definition.versions) outcome.definition.serve(version);
  return outcome.definition;
}

function compileRounds(lab: Lab, count: number, document: JsonObject): Compiled {
  warmUp(() => void compile(document), lab.of({ quick: 250, full: 1500 }));
  return { count, ms: Array.from({ length: lab.of(ROUNDS) }, () => timed(() => compile(document)).ms) };
}

/** Measures the bytes of heap that definitions which differ keep; undefined if more was freed meanwhile than they take. */
async function residentBytes(count: number): Promise<number | undefined> {
  const held: CompiledDefinition[] = [];
  const before = await collectedHeap();
  for (let i = 0; i < count; i++)
    held.push(
      compile(
        fieldsDefinition(RESIDENT_FIELDS, (field) =>
          withRules({ type: 'string', maxLength: 30 }, [`self.startsWith('v${field}-${i}') || self.size() > 3`]),
        ),
      ),
    );
  const bytes = (await collectedHeap()) - before;
  // Nothing may be collected before it was counted.
  if (held.length !== count) throw new Error('definitions are missing');
  return bytes > 0 ? bytes : undefined;
}

function findings({ byRules, byVersions, resident }: DefinitionsData): Findings {
  const ruled = byRules.filter(({ count }) => count > 0);
  const most = measured(ruled, ({ ms }) => median(ms)).at(-1);
  const last = resident.at(-1);
  return {
    finding: sentence([
      `a rule of ${most === undefined ? 'a definition' : countText(most.item.count)} adds to compiling: ${timeText(quotient(most?.value, most?.item.count))}`,
      `a definition of ${RESIDENT_FIELDS} rules keeps in memory: ${bytesText(quotient(last?.bytes, last?.count))}`,
    ]),
    charts: [growthChart(ruled, byVersions)],
    tables: [
      {
        title: 'Definitions in memory',
        columns: ['definitions', 'rules of each', 'heap', 'a definition'],
        rows: resident.map(({ count, bytes }) => [
          String(count),
          String(RESIDENT_FIELDS),
          bytesText(bytes),
          bytesText(quotient(bytes, count)),
        ]),
        notes: ['The heap is collected before it is read.'],
      },
    ],
    cells: [
      ...byRules.flatMap(({ count, ms }) => medianCell({ id: `${count} rules`, unit: 'ms', samples: ms })),
      ...byVersions.flatMap(({ count, ms }) => medianCell({ id: `${count} versions`, unit: 'ms', samples: ms })),
      ...resident.flatMap(({ count, bytes }) => medianCell({ id: `${count} resident`, unit: 'bytes', samples: [bytes] })),
    ],
  };
}

function growthChart(ruled: readonly Compiled[], byVersions: readonly Compiled[]): Chart {
  const points = (compiled: readonly Compiled[]) => plotted(compiled.map(({ count, ms }) => ({ x: count, y: median(ms) })));
  const growth = growthOf(points(ruled));
  return {
    kind: 'scaling',
    id: 'growth',
    title: growth === undefined ? 'Time to compile a definition' : `Compile time grows with ${growthText(growth.last)} of the rules`,
    subtitle: 'Read before; decoded, admitted with all costs estimated, and compiled for objects. Warm, median of the rounds.',
    x: { label: 'rules, or versions of 100 rules each', unit: 'count' },
    y: { label: 'time to compile', unit: 'ms' },
    series: [
      { name: 'by rules', role: 'assay', points: points(ruled) },
      { name: 'by versions', role: 'experiment', points: points(byVersions) },
    ],
    reading:
      'Versions of the same schema share the parsing of their rules and nothing else. Below ten rules the schema around them is most of the time.',
    notShown:
      'reading the YAML or JSON; and the five real definitions with most rules, which `npm run bench -- definitions` puts beside Go.',
  };
}
