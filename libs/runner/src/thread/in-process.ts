// Exports for the library and the page: the engine in the caller's own thread, its performer, and the splitting of a text into documents.
export { cutDocuments } from './cut-documents.ts';
export { InProcessEngine } from './in-process-engine.ts';
export { WorkPerformer } from './perform.ts';
