import type { Impact } from '#documents';
import { writeJson } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { startFleet } from '../../load/start-fleet.ts';
import { startService } from '../../load/start-service.ts';
import type { Service } from '../../load/start-service.ts';
import { KEP_LISTS, listDefinition } from '../../workloads/list-workload.ts';
import { SMALL_DEFINITION, smallObject } from '../../workloads/request-bodies.ts';

/** Stream of objects as NDJSON, with the system that receives it and the expected result. */
export interface ObjectStream {
  readonly name: string;
  readonly start: () => Promise<Service | undefined>;
  readonly path: '/evaluate' | '/what-if';
  readonly definitions: readonly string[];
  readonly object: (index: number) => string;
  /** Returns the result that the last line of the answer contains, as a short text such as `300 accepted`. */
  readonly answer: (lastLine: string) => string;
  /** Returns the expected result for a number of objects, in the format of `answer`. */
  readonly wanted: (objects: number) => string;
  /** Highest allowed memory in bytes of one process together with its engine host, the child process that validates objects. */
  readonly most: number;
}

const NODES = 3;
const MB = 2 ** 20;

const evaluation: Pick<ObjectStream, 'path' | 'answer' | 'wanted'> = {
  path: '/evaluate',
  answer: (lastLine) => `${/"accepted":(\d+)/.exec(lastLine)?.[1] ?? 'no summary: none'} accepted`,
  wanted: (objects) => `${objects} accepted`,
};

/** Streams of objects: into one process, as a batch over Redis, and as stored objects under a changed definition. */
export const STREAMS: readonly ObjectStream[] = [
  {
    ...evaluation,
    name: 'stream',
    start: startService,
    definitions: KEP_LISTS.slice(0, 1).map((list) => writeJson(listDefinition(list))),
    object: () =>
      `{"apiVersion":"lists.assay.example.com/v1","kind":"ListHolder","metadata":{"name":"streamed","namespace":"default"},"list":[${'"abcdefghij",'.repeat(79)}"a"]}`,
    most: 500 * MB,
  },
  {
    ...evaluation,
    name: 'batch over Redis',
    start: () => startFleet({}, { nodes: NODES, threads: 1 }),
    definitions: [writeJson(SMALL_DEFINITION)],
    object: smallObject,
    most: 650 * MB,
  },
  {
    name: 'what-if',
    start: startService,
    path: '/what-if',
    definitions: [
      definition({ type: 'integer' }, { type: 'string' }),
      definition(
        {
          type: 'integer',
          minimum: 10,
          'x-kubernetes-validations': [{ rule: 'self != oldSelf || self < 90', message: 'a large size may not stay' }],
        },
        { type: 'string', default: 'plain' },
      ),
    ],
    object: storedObject,
    answer: impactText,
    // Ten objects repeat: one can no longer change (its size is invalid), two are too small, one lacks a new default, and six are unaffected.
    wanted: (objects) =>
      `brokenOnUpdate ${objects / 10}, savedByRatcheting ${objects / 5}, storedDifferently ${objects / 10}, unaffected ${(objects / 10) * 6}; worst: spec.size breaks ${objects / 10}`,
    most: 550 * MB,
  },
];

function definition(size: unknown, mode: unknown): string {
  const spec = { type: 'object', properties: { size, mode, note: { type: 'string' } } };
  return JSON.stringify(
    customDefinition({ group: 'whatif.assay.example.com', kind: 'Subject', schema: { type: 'object', properties: { spec } } }),
  );
}

function storedObject(index: number): string {
  const size = [95, 5, 5][index % 10] ?? 50;
  const spec = { size, ...(index % 10 === 3 ? {} : { mode: 'set' }), note: 'n'.repeat(600) };
  const metadata = { name: `subject-${index}`, namespace: 'default' };
  return JSON.stringify({ apiVersion: 'whatif.assay.example.com/v1', kind: 'Subject', metadata, spec });
}

/** Returns a text with the number of objects for each effect of a change, and the number of objects that the most damaging cause breaks. */
function impactText(lastLine: string): string {
  const { complete, impact } = JSON.parse(lastLine) as {
    readonly complete?: boolean;
    readonly impact?: Pick<Impact, 'effects'> & {
      readonly causes: readonly { readonly cause: { readonly field: string }; readonly brokenOnUpdate: number }[];
    };
  };
  if (complete !== true || impact === undefined) return 'not complete';
  const effects = Object.entries(impact.effects)
    .filter(([, objects]) => objects > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [worst] = impact.causes;
  const cause = worst === undefined ? 'none' : `${worst.cause.field} breaks ${worst.brokenOnUpdate}`;
  return `${effects.map(([effect, objects]) => `${effect} ${objects}`).join(', ')}; worst: ${cause}`;
}
