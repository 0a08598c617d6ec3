import { acceptingMinors, definitionTexts, definitionWrite, inMinor, serverOf } from '#documents';
import type { AdviceAnswer, DefinitionText, Envelope, EvaluationOptions } from '#documents';
import { internalErrorStatus, timeoutStatus } from '#kube';
import type { Server } from '#kube';
import type { DefinitionExplained } from '#runner';
import type { Engine } from '../ports.ts';

/** Status for a definition whose explanation was stopped by the deadline or by the client. */
export const EXPLANATION_STOPPED = timeoutStatus('the definition was not explained', 0, 408);

/** Returns the servers, besides the chosen one, that must accept a definition with the suggested bounds. */
export function otherServers(options: EvaluationOptions): readonly Server[] {
  const others = acceptingMinors(options).filter((minor) => minor !== options.kubernetesVersion);
  return others.map((minor) => serverOf(inMinor(options, minor)));
}

/**
 * Computes the verdict on a definition with the engine, estimates the cost of its rules, and adds advice on them. A definition that could
 * not be explained is reported as refused. `others` are other servers that must accept the costs with the suggested bounds.
 */
export async function explainText(
  engine: Engine,
  definition: DefinitionText,
  options: EvaluationOptions,
  { signal, others }: { readonly signal: AbortSignal | undefined; readonly others?: readonly Server[] },
): Promise<DefinitionExplained> {
  const answer = await engine.run(
    { kind: 'explain', definition, ...definitionWrite(definition, options), oldest: options.oldestVersion, ...(others && { others }) },
    signal && { signal },
  );
  if (answer.kind === 'done') return answer.result;
  const status =
    answer.kind === 'cancelled' ? EXPLANATION_STOPPED : internalErrorStatus('this definition ended the engine that explained it');
  const report = { name: '', digest: definition.digest, accepted: false, status, warnings: [] };
  return { explained: { report, rules: [], schemas: [], advice: [] }, usable: false };
}

/**
 * Returns for each definition the report (the server's verdict), and advice on how to improve its rules. Unlike an explanation, the answer
 * contains no cost estimates and no measured costs.
 */
export async function advise(
  engine: Engine,
  { definitions, options }: Pick<Envelope, 'definitions' | 'options'>,
  signal?: AbortSignal,
): Promise<AdviceAnswer> {
  const texts = await definitionTexts(definitions, serverOf(options));
  const advised = texts.map(async (text) => {
    const { report, advice } = (await explainText(engine, text, options, { signal })).explained;
    return { report, advice };
  });
  return { definitions: await Promise.all(advised) };
}
