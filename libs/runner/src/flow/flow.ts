/**
 * Priority levels, as in API Priority and Fairness (KEP-1040). They decide how much of the service a flow receives while other flows also
 * have work. `exempt` is served before all other levels, and only limits on total size apply to it. The other levels have weights instead
 * of ranks, so that no level starves.
 */
export const LEVELS = ['exempt', 'high', 'normal', 'low'] as const;
export type Level = (typeof LEVELS)[number];

/**
 * Weights of the priority levels. While both `high` and `low` have waiting work, `high` receives four times the capacity of `low`. The
 * weight of `exempt` is not used.
 */
export const LEVEL_WEIGHTS: Readonly<Record<Level, number>> = { exempt: 1, high: 4, normal: 2, low: 1 };

/** Returns an object with one value for each priority level. `valueOf` computes the values. */
export function byLevel<T>(valueOf: (level: Level) => T): Readonly<Record<Level, T>> {
  return { exempt: valueOf('exempt'), high: valueOf('high'), normal: valueOf('normal'), low: valueOf('low') };
}

/**
 * Limits for the evaluations that one {@link Flow} may have in the queue. If a flow exceeds a limit, its requests are refused with status
 * 429. The requests of other flows are not affected.
 */
export interface FlowLimits {
  /** Maximum number of living evaluations. */
  readonly evaluations: number;
  /** Number of waiting chunks at which new evaluations are refused. All chunks of an accepted evaluation are queued. */
  readonly chunks: number;
  /** Maximum size of the waiting chunks, in bytes. */
  readonly bytes: number;
  /**
   * Maximum total size, in bytes, of the stored results of detached evaluations. If this limit is reached, new detached evaluations are
   * refused, and running ones end.
   */
  readonly resultBytes: number;
  /** Maximum size, in bytes, of definitions that are stored for the flow's evaluations (`libs/jobs/src/definition-load.ts`). */
  readonly definitionBytes: number;
}

/** Default limits of one {@link Flow}. The access key of the flow, or the configuration, can change them. */
export const DEFAULT_FLOW_LIMITS: FlowLimits = {
  evaluations: 200,
  chunks: 2000,
  bytes: 128 * 1024 * 1024,
  resultBytes: 128 * 1024 * 1024,
  definitionBytes: 128 * 1024 * 1024,
};

/**
 * Group of evaluations and studies that the scheduler treats as a unit, under shared limits. A flow contains the requests of one access
 * key, or of one queue for requests without a key.
 */
export interface Flow {
  readonly level: Level;
  /** The name of an access key, or of a queue for requests without a key. */
  readonly name: string;
  /** Part of the flow, as named by the client. All parts share the capacity of the flow. */
  readonly division: string;
  /** Weight of the flow among all flows of its level. */
  readonly weight: number;
  readonly limits: FlowLimits;
}

/**
 * Position of an evaluation in the tree of the fair queue: level / flow / division / leaf. A flow is the queue of one client, and the
 * client can split it into divisions. `leaf` names the evaluation within its division, and `weight` is the weight of the flow within its
 * level.
 */
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

/** Returns the text that `make` derives from `name`. The text is cached, because the same few flow names are used again and again. */
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

/**
 * Returns the queue key of an evaluation: its position in the tree level / flow / division / leaf of the fair queue. Keys in one division
 * (a part of a flow) sort by the creation time of the evaluations. The scheduler therefore serves evaluations of equal rank in order of
 * arrival.
 */
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

/**
 * Returns the text `level/flow`, which identifies a {@link Flow}. The queue stores the limits of the flow, and the number of engine threads
 * that it uses, under this text.
 */
export const flowPath = ({ level, flow }: Pick<QueueKey, 'level' | 'flow'>): string =>
  remembered(flowPaths[level], flow, (name) => `${level}/${name}`);
const flowPaths = byLevel(() => new Map<string, string>());

/**
 * Returns the text `level/name`, which identifies a {@link Flow}. The queue stores the limits of the flow, and the number of engine threads
 * that it uses, under this text. The flow's name is percent-encoded in it.
 */
export const pathOfFlow = ({ level, name }: Pick<Flow, 'level' | 'name'>): string => flowPath({ level, flow: encoded(name) });

/**
 * Returns `level/flow/division`, the path of a division in the tree of the fair queue. `level` is the priority level, a flow is the queue
 * of one client, and a division is a part of a flow.
 */
export const divisionPath = (queueKey: Pick<QueueKey, 'level' | 'flow' | 'division'>): string => {
  const { division } = queueKey;
  const path = flowPath(queueKey);
  // Most flows have no divisions, so a cache contains only the paths of undivided flows.
  return division === '' ? remembered(undividedPaths, path, (of) => `${of}/`) : `${path}/${division}`;
};
const undividedPaths = new Map<string, string>();

/**
 * Returns the number of engine threads that one flow may hold while other flows wait. This is half of all threads, but at least one.
 * Returns Infinity if the number of threads is unknown.
 */
export function seatsPerFlow(seats: number): number {
  return seats > 0 ? Math.max(1, Math.ceil(seats / 2)) : Infinity;
}
