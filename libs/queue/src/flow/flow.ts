import { byLevel } from './level.ts';
import type { Level } from './level.ts';

/** The bounds of the work that one flow may keep waiting. A flow beyond them is refused with a 429; other flows notice nothing. */
export interface FlowLimits {
  /** Maximum number of evaluations that are not over. */
  readonly evaluations: number;
  /** Number of waiting chunks above which no further evaluation is accepted. An accepted evaluation is always queued completely. */
  readonly chunks: number;
  /** Maximum size of the waiting chunks, in bytes. */
  readonly bytes: number;
  /**
   * Maximum size, in bytes, of stored results of detached evaluations. Above the limit, no further evaluation is accepted and running
   * evaluations end.
   */
  readonly resultBytes: number;
  /** Maximum size, in bytes, of definitions that are stored for the flow's evaluations (`definition-load.ts`). */
  readonly definitionBytes: number;
}

/** Flow to which an evaluation belongs. All work of one flow is scheduled together. */
export interface Flow {
  readonly level: Level;
  /** The name of an access key, or of a queue for requests without a key. */
  readonly name: string;
  /** Part of the flow that its client named. The parts of a flow share the capacity of the flow. */
  readonly division: string;
  /** Share among the flows of its level. */
  readonly weight: number;
  readonly limits: FlowLimits;
}

/** The path of an evaluation in the tree of the fair queue: level / flow / division, and its own name among the division's evaluations. */
export interface QueueKey {
  readonly level: Level;
  readonly flow: string;
  readonly division: string;
  readonly weight: number;
  readonly leaf: string;
}

const STAMP_DIGITS = 12;

/** Maximum number of cached texts that are derived from names of flows. */
const REMEMBERED = 1000;

/** Returns the text that `make` derives from `name`. The text is cached, because the same few flows recur constantly. */
function remembered(texts: Map<string, string>, name: string, make: (name: string) => string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const made = make(name);
  if (texts.size >= REMEMBERED) texts.clear();
  texts.set(name, made);
  return made;
}

const encodedNames = new Map<string, string>();
const encoded = (name: string): string => remembered(encodedNames, name, encodeURIComponent);

/** Returns the queue key of an evaluation. Its leaf sorts by age, so that evaluations with equal tags are served in the order in which they came. */
export function queueKeyOf({ id, createdAt, flow }: { readonly id: string; readonly createdAt: number; readonly flow: Flow }): QueueKey {
  const [name, division] = [encoded(flow.name), encoded(flow.division)];
  return {
    level: flow.level,
    flow: name,
    division,
    weight: flow.weight,
    leaf: `${createdAt.toString(16).padStart(STAMP_DIGITS, '0')}-${id}`,
  };
}

/** Returns `level/flow`, the key under which limits and caps of a flow are counted. */
export const flowPath = ({ level, flow }: Pick<QueueKey, 'level' | 'flow'>): string =>
  remembered(flowPaths[level], flow, (name) => `${level}/${name}`);
const flowPaths = byLevel(() => new Map<string, string>());

/** Returns the {@link flowPath} of a flow whose name is not yet encoded as in a queue key. */
export const pathOfFlow = ({ level, name }: Pick<Flow, 'level' | 'name'>): string => flowPath({ level, flow: encoded(name) });

/** Returns `level/flow/division`. */
export const divisionPath = (queueKey: Pick<QueueKey, 'level' | 'flow' | 'division'>): string => {
  const { division } = queueKey;
  const path = flowPath(queueKey);
  // Who divides its flow does so as it likes; most do not.
  return division === '' ? remembered(undividedPaths, path, (of) => `${of}/`) : `${path}/${division}`;
};
const undividedPaths = new Map<string, string>();
