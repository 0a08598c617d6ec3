import { benchAddedTime } from './added-time.ts';
import { benchBodyForms } from './body-forms.ts';
import { benchCommandLine } from './command-line.ts';
import { benchCorpusObjects } from './corpus-objects.ts';
import { benchDefinitions } from './definitions.ts';
import type { BenchTable } from './bench-table.ts';
import { benchFleet } from './fleet.ts';
import { benchLanguage } from './language.ts';
import { benchObjects } from './objects.ts';
import { benchPolicies } from './policies.ts';
import { benchPredictions } from './predictions.ts';
import { benchRegex } from './regex.ts';
import { profileRequests } from './profile/profile-requests.ts';
import { benchRequests } from './requests.ts';
import { benchRules } from './rules.ts';
import { benchSpellings } from './spellings.ts';

/** What a bench is asked for. */
export interface BenchWish {
  /** Fewer and shorter rounds: a first look. */
  readonly quick: boolean;
  /** Another revision of git to set beside this one, for those benches that can. */
  readonly compare: string | undefined;
}

/** A bench that gives tables. */
export interface Bench {
  /** What it measures, in one line. */
  readonly about: string;
  readonly measure: (wish: BenchWish) => readonly BenchTable[] | Promise<readonly BenchTable[]>;
}

/** The benches that give tables, by their names. `cel` and `all` are not among them: they have options of their own. */
export const BENCHES: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  ['cli', { about: 'whole processes of the command line, beside peers at hand', measure: ({ quick }) => [benchCommandLine(quick)] }],
  ['definitions', { about: 'ms to compile real definitions, beside Go', measure: async ({ quick }) => [await benchDefinitions(quick)] }],
  [
    'objects',
    {
      about:
        'µs per object by generated reader and exactly, beside JSON.parse, ajv and Go; all accepted objects of the corpora; list types and rules of items per element; texts beyond ASCII and with escapes; bodies in YAML and read before',
      measure: ({ quick }) => [
        benchObjects(quick),
        benchCorpusObjects(quick),
        benchAddedTime(quick),
        benchSpellings(quick),
        benchBodyForms(quick),
      ],
    },
  ],
  [
    'fleet',
    { about: 'nodes over Redis beside the service without: CPU, throughput, commands of Redis', measure: ({ quick }) => benchFleet(quick) },
  ],
  ['language', { about: 'ms from a keystroke in a large definition to its diagnostics', measure: ({ quick }) => [benchLanguage(quick)] }],
  ['policies', { about: 'what admission policies cost to compile and to ask', measure: ({ quick }) => [benchPolicies(quick)] }],
  [
    'profile',
    {
      about: 'the hottest places of each thread of the service while it answers small requests; with --compare, before and after',
      measure: ({ quick, compare }) => profileRequests(quick, compare),
    },
  ],
  [
    'requests',
    {
      about: 'CPU of all processes of the service a request, beside a bare Fastify, and a stream of small objects',
      measure: ({ quick }) => benchRequests(quick),
    },
  ],
  [
    'predictions',
    {
      about: "predicts the time of a server's rule from what Assay counts, and checks it on real rules in Go; keeps the model unless quick",
      measure: ({ quick }) => [benchPredictions(quick)],
    },
  ],
  ['rules', { about: 'what a rule costs to compile and keep', measure: () => [benchRules()] }],
  ['regex', { about: 'ns per byte of patterns that backtracking explodes on', measure: ({ quick }) => [benchRegex(quick)] }],
]);
