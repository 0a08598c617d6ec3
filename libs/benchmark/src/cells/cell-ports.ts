import type { EngineChoice } from '#cel';
import type { CancellationToken, JsonValue } from '#go';
import type { AssayEngine } from '../study/study-report.ts';
import type { StudiedDefinition } from './studied-definition.ts';

/**
 * Name of an engine for studies. `adaptive` validates objects and chooses between `compiled` and `interpreted`. `measured` counts the steps
 * of an evaluation.
 */
export type StudyEngine = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** Definitions that a cell of a study uses, each compiled for a given engine. */
export interface CellSubjects {
  /** Returns the definition under study, compiled for `engine`. */
  readonly head: (engine: StudyEngine) => StudiedDefinition;
  /** Returns the older revision of the definition, compiled for `engine`. Absent if there is no older revision. */
  readonly base?: (engine: StudyEngine) => StudiedDefinition;
  /** Returns the source document of the definition under study. Absent if no cell (part) of the study describes evaluations. */
  readonly source?: () => JsonValue;
  /** Compiles the definition under study again from the beginning. */
  readonly compileAgain: () => void;
  readonly choice: (engine: StudyEngine) => EngineChoice;
}

/** Clock, memory meter and cancellation token that a cell of a study uses. */
export interface CellPorts {
  /** Returns the time of a monotonic clock, in ms. */
  readonly now: () => number;
  /** Returns the CPU time of the thread, in ms. Absent if the platform does not report CPU times. */
  readonly cpuMs?: () => number;
  /** Returns the bytes of heap in use. Absent if the platform does not report heap usage. */
  readonly heapUsed?: () => number;
  readonly token: CancellationToken;
}

/** An engine whose times a study reports, and the label under which the report shows these times. */
export interface TimedEngine {
  readonly name: StudyEngine;
  readonly label: AssayEngine;
}

/**
 * Entry for the CEL engine that generates code for rules, among the engines whose times a study reports. Assay uses this engine for rules
 * that are evaluated often.
 */
export const COMPILED: TimedEngine = { name: 'compiled', label: 'Assay compiled' };
/** Interpreter, as an engine whose times a study reports. Assay uses it for rules that are evaluated only a few times. */
export const INTERPRETED: TimedEngine = { name: 'interpreted', label: 'Assay interpreted' };
