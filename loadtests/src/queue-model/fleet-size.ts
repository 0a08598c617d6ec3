/** CPU time of one object by who spends it, ms. */
export interface ObjectDemands {
  /** The process that serves: it reads requests and writes answers. */
  readonly node: number;
  /** Its engine host, where objects are judged. */
  readonly engine: number;
}

/** The fleet for a rate. */
export interface FleetNeeds {
  /** Nodes of one engine thread, each with two cores. */
  readonly nodes: number;
  /** Share of its core that the serving process of each takes. */
  readonly nodeLoad: number;
  /** Share of its core that the engine host of each takes. */
  readonly engineLoad: number;
}

/** Share of a core that a process may be busy in the mean, so that its queue stays short: at 0.7 an M/M/1 queue triples the time of a job. */
export const BUSY = 0.7;

/** Returns the fleet that judges so many objects a second, on machines with cores enough for all processes. */
export function fleetFor(perSecond: number, { node, engine }: ObjectDemands): FleetNeeds {
  const cores = (ms: number): number => (perSecond * ms) / 1000;
  const nodes = Math.max(1, Math.ceil(cores(Math.max(node, engine)) / BUSY));
  return { nodes, nodeLoad: cores(node) / nodes, engineLoad: cores(engine) / nodes };
}
