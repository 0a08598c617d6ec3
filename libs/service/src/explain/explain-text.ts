import { internalErrorStatus, timeoutStatus } from '#kube';
import type { DefinitionText, EvaluationOptions } from '#evaluation';
import type { DefinitionExplained } from '#runner';
import type { Engine } from '../ports.ts';

/** The Status of work that the deadline, or the client, stopped. */
export const STOPPED = timeoutStatus('the definition was not explained', 0, 408);

/** Has the engine judge a definition, and estimate and advise on its rules. A definition that could not be explained is reported as refused. */
export async function explainText(
  engine: Engine,
  definition: DefinitionText,
  { asSent, oldestVersion: oldest }: Pick<EvaluationOptions, 'asSent' | 'oldestVersion'>,
  signal: AbortSignal | undefined,
): Promise<DefinitionExplained> {
  const answer = await engine.run({ kind: 'explain', definition, asSent, oldest }, signal && { signal });
  if (answer.kind === 'done') return answer.result;
  const status = answer.kind === 'cancelled' ? STOPPED : internalErrorStatus('this definition ended the engine that explained it');
  const report = { name: '', digest: definition.digest, accepted: false, status, warnings: [] };
  return { explained: { report, rules: [], schemas: [], advice: [] }, usable: false };
}
