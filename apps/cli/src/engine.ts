import { EngineThreads } from '#runner';

/** Returns an engine for the commands. It starts no thread yet. */
export const newEngine = (): EngineThreads => new EngineThreads();
