import type { EngineName } from '#runner/linker';

/**
 * The engines for judging recorded cases. `compiled` always uses generated code, `interpreted` never. `adaptive` is the
 * product's choice: it interprets a rule until generated code pays.
 */
export type JudgingEngine = Exclude<EngineName, 'measured'>;

/** All of them. */
export const JUDGING_ENGINES: readonly JudgingEngine[] = ['compiled', 'interpreted', 'adaptive'];

/** The two that are held to the same floors: any case must come out alike on both. */
export const BOTH_ENGINES = ['compiled', 'interpreted'] as const satisfies readonly JudgingEngine[];

/** Reads a command-line option; undefined for a name that no engine has. */
export function readJudgingEngine(name: string): JudgingEngine | undefined {
  return JUDGING_ENGINES.find((engine) => engine === name);
}
