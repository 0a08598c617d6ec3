export { briefMessage, findingsOf } from './findings.ts';
export type { Finding, FindingLocation } from './findings.ts';
export type { FileLines, Place, PlaceRange } from './line-index.ts';
export { PlacedSource, SourceFile } from './source-file.ts';
export { SourceDocument } from './source-document.ts';
export type { Focus, Stretch } from './source-document.ts';
export { schemaField } from './written-field.ts';
