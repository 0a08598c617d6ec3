import type { EngineChoice } from '#cel';
import type { CancellationToken, JsonValue } from '#go';
import type { AssayEngine } from '../study/study-report.ts';
import type { StudiedDefinition } from './studied-definition.ts';

/** The name of an engine. `adaptive` judges, and chooses between the next two; `measured` counts the steps of an evaluation. */
export type StudyEngine = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** The definitions of a cell, as an engine compiles them. */
export interface CellSubjects {
  /** The definition under study. */
  readonly head: (engine: StudyEngine) => StudiedDefinition;
  /** The older revision; absent if there is none. */
  readonly base?: (engine: StudyEngine) => StudiedDefinition;
  /** Reads the definition under study; absent if no cell describes evaluations. */
  readonly source?: () => JsonValue;
  /** Compiles the definition under study anew. */
  readonly compileAgain: () => void;
  readonly choice: (engine: StudyEngine) => EngineChoice;
}

/** Clock, memory and end of a cell. */
export interface CellPorts {
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** CPU time of the thread, ms; absent if the platform does not tell. */
  readonly cpuMs?: () => number;
  /** Bytes of heap in use; absent if the platform does not tell. */
  readonly heapUsed?: () => number;
  readonly token: CancellationToken;
}

/** An engine whose times are told, and the name by which it is told. */
export interface TimedEngine {
  readonly name: StudyEngine;
  readonly label: AssayEngine;
}

/** The engine that judges what is evaluated often. */
export const COMPILED: TimedEngine = { name: 'compiled', label: 'Assay compiled' };
/** The engine that judges what is evaluated a few times. */
export const INTERPRETED: TimedEngine = { name: 'interpreted', label: 'Assay interpreted' };
