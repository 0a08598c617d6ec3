import { compileDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import { NODE_ENGINE } from '#runner/linker';
import type { Lab, Thoroughness } from '../lab.ts';
import { bytesText, timeText } from '../measure/figures.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '../measure/percentile.ts';
import { warmUp } from '../measure/warm-up.ts';
import { timed } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

const RULE_COUNTS: Readonly<Record<Thoroughness, readonly number[]>> = {
  quick: [0, 10, 100, 1000],
  full: [0, 10, 30, 100, 300, 1000, 3000],
};
const VERSION_COUNTS: Readonly<Record<Thoroughness, readonly number[]>> = { quick: [1, 4], full: [1, 2, 4, 8, 16] };
const RESIDENT: Readonly<Record<Thoroughness, readonly number[]>> = { quick: [20], full: [20, 100, 500] };
const ROUNDS = { quick: 5, full: 15 } as const;
/** Fields of the definitions that lie in memory together, each with a rule. */
const RESIDENT_FIELDS = 40;

/** What does a definition cost before the first object comes? */
export const definitions: Experiment = {
  name: 'definitions',
  question: 'What do rules, versions and many definitions cost in compile time and memory?',
  async run(lab) {
    const byRules: Compiled[] = [];
    for await (const count of lab.each(lab.of(RULE_COUNTS)))
      byRules.push(measure(lab, count, ruledDefinition(Math.max(1, count), count > 0)));
    const byVersions: Compiled[] = [];
    for await (const count of lab.each(lab.of(VERSION_COUNTS)))
      byVersions.push(measure(lab, count, withVersions(ruledDefinition(100, true), count)));
    const resident: { readonly count: number; readonly bytes: number }[] = [];
    for await (const count of lab.each(lab.of(RESIDENT))) {
      lab.say(`${count} definitions in memory`);
      resident.push({ count, bytes: residentBytes(count) });
    }
    return findings(byRules, byVersions, resident);
  },
};

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

function measure(lab: Lab, count: number, document: JsonObject): Compiled {
  warmUp(() => void compile(document), lab.of({ quick: 250, full: 1500 }));
  return { count, ms: Array.from({ length: lab.of(ROUNDS) }, () => timed(() => compile(document)).ms) };
}

/** What definitions that differ take of the heap, bytes. */
function residentBytes(count: number): number {
  const held: CompiledDefinition[] = [];
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < count; i++)
    held.push(
      compile(
        fieldsDefinition(RESIDENT_FIELDS, (field) =>
          withRules({ type: 'string', maxLength: 30 }, [`self.startsWith('v${field}-${i}') || self.size() > 3`]),
        ),
      ),
    );
  globalThis.gc?.();
  const bytes = process.memoryUsage().heapUsed - before;
  // Nothing may be collected before it was counted.
  if (held.length !== count) throw new Error('definitions are missing');
  return bytes;
}

function findings(
  byRules: readonly Compiled[],
  byVersions: readonly Compiled[],
  resident: readonly { readonly count: number; readonly bytes: number }[],
): Findings {
  const ruled = byRules.filter(({ count }) => count > 0);
  const growth = growthOf(ruled.map(({ count, ms }) => ({ x: count, y: median(ms) })));
  const most = ruled.at(-1);
  const last = resident.at(-1);
  const perRule = most === undefined ? Number.NaN : median(most.ms) / most.count;
  const collects = globalThis.gc !== undefined;
  const memory =
    last === undefined
      ? ''
      : `; a definition of ${RESIDENT_FIELDS} rules keeps ${bytesText(Math.round(last.bytes / last.count))}${collects ? '' : ' or less'}`;
  return {
    finding: `A rule adds ${timeText(perRule)} to compiling a definition${memory}`,
    charts: [
      {
        kind: 'scaling',
        id: 'growth',
        title: `Compile time grows with n^${(growth?.last ?? Number.NaN).toFixed(2)} of the rules`,
        subtitle: 'Read before; decoded, admitted with all costs estimated, and compiled for objects. Warm, median of the rounds.',
        x: { label: 'rules, or versions of 100 rules each', unit: 'count' },
        y: { label: 'time to compile', unit: 'ms' },
        series: [
          { name: 'by rules', role: 'ours', points: ruled.map(({ count, ms }) => ({ x: count, y: median(ms) })) },
          { name: 'by versions', role: 'experiment', points: byVersions.map(({ count, ms }) => ({ x: count, y: median(ms) })) },
        ],
        reading:
          'Versions of the same schema share the parsing of their rules and nothing else. Below ten rules the schema around them is most of the time.',
        notShown:
          'reading the YAML or JSON; and the five real definitions with most rules, which `npm run bench -- definitions` puts beside Go.',
      },
    ],
    tables: [
      {
        title: 'Definitions in memory',
        columns: ['definitions', 'rules of each', 'heap', 'a definition'],
        rows: resident.map(({ count, bytes }) => [
          String(count),
          String(RESIDENT_FIELDS),
          bytesText(bytes),
          bytesText(Math.round(bytes / count)),
        ]),
        notes: collects ? [] : ['The heap was not collected before it was read (`--expose-gc` is off): figures are upper bounds.'],
      },
    ],
    cells: [
      ...byRules.map(({ count, ms }) => ({
        id: `${count} rules`,
        unit: 'ms' as const,
        samples: [...ms],
        statistic: 'median' as const,
        value: median(ms),
      })),
      ...byVersions.map(({ count, ms }) => ({
        id: `${count} versions`,
        unit: 'ms' as const,
        samples: [...ms],
        statistic: 'median' as const,
        value: median(ms),
      })),
      ...resident.map(({ count, bytes }) => ({
        id: `${count} resident`,
        unit: 'bytes' as const,
        samples: [bytes],
        statistic: 'median' as const,
        value: bytes,
      })),
    ],
  };
}
