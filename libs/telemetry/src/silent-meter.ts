import type { Meter } from '@opentelemetry/api';

const nothing = (): void => undefined;
const counter = { add: nothing };
const recorder = { record: nothing };
const observable = { addCallback: nothing, removeCallback: nothing };

/** A meter whose instruments count nothing, for processes that are not scraped. */
export const SILENT_METER: Meter = {
  createCounter: () => counter,
  createUpDownCounter: () => counter,
  createGauge: () => recorder,
  createHistogram: () => recorder,
  createObservableCounter: () => observable,
  createObservableGauge: () => observable,
  createObservableUpDownCounter: () => observable,
  addBatchObservableCallback: nothing,
  removeBatchObservableCallback: nothing,
};
