// The engine without a thread or process of its own, for the library and the page, and what cuts texts into its documents.
export { cutDocuments } from './cut-documents.ts';
export { InProcessEngine } from './in-process-engine.ts';
export { WorkPerformer } from './perform.ts';
