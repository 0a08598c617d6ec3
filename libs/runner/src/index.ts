// The engine: a process with threads that run untrusted rules and can be stopped.
export { EngineHost } from './engine-host.ts';
export type { EngineHostSettings } from './supervised-host.ts';
export { EngineThreads } from './engine-threads.ts';
export type { EngineThreadsSettings } from './engine-threads.ts';
export { NOT_RUN } from './engine.ts';
export type { Engine, RunAnswer, RunSettings } from './engine.ts';
export { RUN_LIMITS } from './limits.ts';
export { backgroundThreads } from './urgent-work.ts';

// Dispatch of work to the engine, in fair shares.
export { unqueuedEngine, runsAhead } from './dispatch/queued-engine.ts';
export type { QueuedEngine, BatchEngine, BatchWork, OpenedBatch } from './dispatch/queued-engine.ts';
export { Dispatcher } from './dispatch/dispatcher.ts';
export type { OfferedRun, QueuedJob } from './dispatch/dispatcher.ts';
export type { DispatcherPorts } from './dispatch/admitted-request.ts';
export { EngineLoad } from './dispatch/engine-load.ts';
export { Refusals } from './dispatch/refusals.ts';
export type { RequestKind } from './dispatch/refusals.ts';

// Shared threads in a fleet of processes.
export { FleetEngine, FleetSeats } from './fleet/fleet-seats.ts';
export { OfferServer } from './fleet/serve-offers.ts';
export { OFFER_KINDS } from './fleet/offers.ts';
export type { NewOffer, OfferAnswer, OfferedTask, OfferKind, OfferNews, Offers, OfferSource, OfferState } from './fleet/offers.ts';

// Input and output of the engine.
export { clusterObjects } from './object-types.ts';
export type { ObjectTypes } from './object-types.ts';
export { packItems, unpackInSteps, unpackItems } from './pack-items.ts';
export type {
  Breakage,
  DefinitionExplained,
  DocumentList,
  DocumentNotation,
  ExpressionReport,
  JudgedDefinition,
  MeasuredItems,
  PackedItems,
  ResultOf,
  RuleMeasurement,
  Work,
} from './protocol.ts';
