// The engine without its own thread or process, for the library and the page, and the functions that split texts into documents.
export { cutDocuments } from './cut-documents.ts';
export { InProcessEngine } from './in-process-engine.ts';
export { WorkPerformer } from './perform.ts';
