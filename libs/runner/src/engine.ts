import type { EngineHost } from './engine-host.ts';

/** What takes pieces of work: the engine host itself, or a line in front of it. */
export type Engine = Pick<EngineHost, 'run' | 'threads'>;
