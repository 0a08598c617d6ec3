import type { Engine } from '../engine.ts';
import type { FleetSeats } from '../fleet/fleet-seats.ts';
import type { FlowLoad, LoadLimits, PriceBook } from '../flow/index.ts';
import type { Telemetry } from '#telemetry';
import type { Refusals } from './refusals.ts';

/** Dependencies of a `Dispatcher`: the engine, the limits of the queue, measured prices, the recorder of refusals, and telemetry. */
export interface DispatcherPorts {
  readonly engine: Engine;
  readonly limits: LoadLimits;
  /** Account of all work that waits in this process; by default, an account of the dispatcher alone. */
  readonly load?: FlowLoad;
  /** Prices, which the runs of batches correct. */
  readonly prices: PriceBook;
  readonly refusals: Refusals;
  readonly telemetry: Telemetry;
  /** Free engine threads of other processes, which perform runs while the engine is busy. Absent if there are no other processes. */
  readonly elsewhere?: Pick<FleetSeats, 'hasRoom' | 'run' | 'window'> | undefined;
}
