import { benchAddedTime } from './added-time.ts';
import type { BenchTable } from './bench-table.ts';
import { benchCorpusObjects } from './corpus-objects.ts';
import { benchDefinitions } from './definitions.ts';
import { benchFleet } from './fleet.ts';
import { benchNatives } from './natives.ts';
import { benchObjects } from './objects.ts';
import { benchPolicies } from './policies.ts';
import { benchPredictions } from './predictions.ts';
import { benchRequests } from './requests.ts';

/** Bench that produces tables. */
export interface Bench {
  /** The subject of the measurement, in one line. */
  readonly about: string;
  /** Runs the measurement. If `quick` is true, uses fewer and shorter rounds for a first impression. */
  readonly measure: (quick: boolean) => readonly BenchTable[] | Promise<readonly BenchTable[]>;
}

/** Benches that produce tables, by name. The bench `all` is not included because it has its own options. */
export const BENCHES: ReadonlyMap<string, Bench> = new Map(
  Object.entries<Bench>({
    definitions: { about: 'ms to compile real definitions, beside Go', measure: (quick) => [benchDefinitions(quick)] },
    objects: {
      about:
        'µs per object by generated reader and exactly, beside JSON.parse, ajv and Go; all accepted objects of the corpora; list types and rules of items per element',
      measure: (quick) => [benchObjects(quick), benchCorpusObjects(quick), benchAddedTime(quick)],
    },
    fleet: {
      about: 'nodes over Redis beside the service without: CPU, throughput, commands of Redis',
      measure: async (quick) => [await benchFleet(quick)],
    },
    requests: {
      about: 'CPU of all processes of the service a request, beside a bare Fastify, and a stream of small objects',
      measure: benchRequests,
    },
    natives: {
      about: 'ms of each CEL function and keyword on large data, beside Go',
      measure: benchNatives,
    },
    policies: {
      about:
        "predicts the time of a server's policies by bindings, parameters and sizes, and checks it on the real plugin; keeps the model unless quick",
      measure: (quick) => [benchPolicies(quick)],
    },
    predictions: {
      about: "predicts the time of a server's rule from what Assay counts, and checks it on real rules in Go; keeps the model unless quick",
      measure: (quick) => [benchPredictions(quick)],
    },
  }),
);
