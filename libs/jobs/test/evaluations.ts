import { checkOptions, emptyTally } from '#documents';
import type { ChunkResult, ChunkSettings, DocumentSlice } from '#documents';
import type { Flow } from '#runner/flow';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import type { EvaluationRecord } from '../src/ports.ts';

const options = checkOptions({});
if (!options.ok) throw new Error('default options must be valid');
const settings: ChunkSettings = {
  options: options.value,
  definitions: [],
  refused: [],
  deadlineAt: Date.now() + 600_000,
  traceparent: undefined,
};

/** Returns a flow of the priority level `normal`. */
export function flowOf(name: string, rest: Partial<Flow> = {}): Flow {
  return { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS, ...rest };
}

/** Returns the record of an evaluation without definitions. */
export function recordOf(id: string, rest: Partial<EvaluationRecord> = {}): EvaluationRecord {
  return {
    id,
    createdAt: Date.now(),
    owner: 'alpha',
    flow: flowOf('batch'),
    settings,
    definitions: [],
    ...rest,
  };
}

/** Returns the settings of {@link recordOf}, with a definition of this digest. */
export const settingsWith = (digest: string): ChunkSettings => ({ ...settings, definitions: [{ digest, group: 'g', kind: digest }] });

/** Returns an item of a chunk. The text is arbitrary, because queues do not read it. */
export const item = (text: string): DocumentSlice => ({ bytes: Buffer.from(text), notation: 'json' });

/** Returns a chunk result with one verdict. `judgedMs` is the time in ms that a thread took for the items. */
export const answer = (line: string, judgedMs?: number): ChunkResult => ({
  verdicts: [line],
  tally: { ...emptyTally(), items: 1, accepted: 1, celCost: 3, phases: judgedMs === undefined ? {} : { total: judgedMs } },
  celCharge: 3,
  spans: [],
});
