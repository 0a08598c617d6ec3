export { consumeChunks } from './consume-chunks.ts';
export type { ChunkObserver, ChunkSource } from './consume-chunks.ts';
export { EngineHost } from './engine-host.ts';
export type { RunAnswer } from './engine-host.ts';
export { RUN_LIMITS } from './limits.ts';
export type { DocumentList, JudgedDefinition, RuleReport, Work, WorkResult } from './protocol.ts';
export { runChunk, unjudged } from './run-chunk.ts';
export { versionMatrix } from './version-matrix.ts';
export type { ByMinor, DefinitionRow, ObjectRow, VersionMatrix } from './version-matrix.ts';
