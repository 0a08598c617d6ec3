/** CPU time of one object by who spends it, ms, and what it makes Redis do. */
export interface ObjectDemands {
  readonly api: number;
  readonly redis: number;
  readonly worker: number;
  /** Bytes to and from Redis. */
  readonly redisBytes: number;
}

/** What a fleet needs for a rate. */
export interface FleetNeeds {
  readonly apis: number;
  /** Worker processes of one thread. */
  readonly workers: number;
  /** Redis processes: shards of a cluster where it is more than one. */
  readonly redis: number;
  /** Share of its core that one Redis would need for all of it; above 1 it cannot. */
  readonly redisLoad: number;
  /** Megabytes a second to and from Redis. */
  readonly redisMegabytes: number;
}

/** Share of a core that a process may be busy in the mean, so that its queue stays short: at 0.7 an M/M/1 queue triples the time of a job. */
export const BUSY = 0.7;

/** What a fleet on machines with cores enough for all processes needs to judge so many objects a second. */
export function fleetFor(perSecond: number, demands: ObjectDemands): FleetNeeds {
  const cores = (ms: number): number => (perSecond * ms) / 1000;
  const processes = (ms: number): number => Math.max(1, Math.ceil(cores(ms) / BUSY));
  return {
    apis: processes(demands.api),
    workers: processes(demands.worker),
    redis: processes(demands.redis),
    redisLoad: cores(demands.redis),
    redisMegabytes: (perSecond * demands.redisBytes) / 1e6,
  };
}
