import type { EngineChoice } from '#cel';
import type { CancellationToken } from '#go';
import type { EngineLabel } from '../study/study-report.ts';
import type { StudiedDefinition } from './studied-definition.ts';

/** An engine by its name: the one that judges, or one of the two that it chooses from. */
export type StudyEngine = 'adaptive' | 'compiled' | 'interpreted';

/** The definitions of a cell, as an engine compiles them. */
export interface CellSubjects {
  /** The definition under study. */
  readonly head: (engine: StudyEngine) => StudiedDefinition;
  /** The older revision; absent if there is none. */
  readonly base?: (engine: StudyEngine) => StudiedDefinition;
  /** Compiles the definition under study anew. */
  readonly compileAgain: () => void;
  readonly choice: (engine: StudyEngine) => EngineChoice;
}

/** Clock, memory and end of a cell. */
export interface CellPorts {
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** Bytes of heap in use; absent if the platform does not tell. */
  readonly heapUsed?: () => number;
  readonly token: CancellationToken;
}

/** Engines whose times are told. */
export const TIMED_ENGINES: readonly { readonly name: StudyEngine; readonly label: EngineLabel }[] = [
  { name: 'compiled', label: 'Assay compiled' },
  { name: 'interpreted', label: 'Assay interpreted' },
];
