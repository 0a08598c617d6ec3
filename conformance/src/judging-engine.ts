import type { EngineName } from '#runner/linker';

/**
 * Engine that evaluates rules for the verdicts on recorded cases. `compiled` always uses generated code, and `interpreted` never does.
 * `adaptive` is the default of the product: it interprets a rule until generated code becomes worthwhile.
 */
export type JudgingEngine = Exclude<EngineName, 'measured'>;

/** All engines for the verdicts on recorded cases. */
export const JUDGING_ENGINES: readonly JudgingEngine[] = ['compiled', 'interpreted', 'adaptive'];

/** Engines that must pass the same minimum number of cases, because any case must have the same result on both engines. */
export const BOTH_ENGINES = ['compiled', 'interpreted'] as const satisfies readonly JudgingEngine[];

/** Parses the name of an engine on the command line; undefined if there is no such engine. */
export function readJudgingEngine(name: string): JudgingEngine | undefined {
  return JUDGING_ENGINES.find((engine) => engine === name);
}
