// The engine without a thread or process of its own, for the library.
export { InProcessEngine } from './in-process-engine.ts';
export { WorkPerformer } from './perform.ts';
