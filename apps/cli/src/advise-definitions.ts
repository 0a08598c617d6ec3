import { definitionTexts, serverOf } from '#evaluation';
import type { Engine } from '#runner';
import { adviceFinding, placeAdvice } from './advice.ts';
import type { EvaluateCommand } from './commands.ts';
import type { EvaluationOutcome } from './evaluate.ts';
import type { PlacedBatch } from './read-documents.ts';

/**
 * The outcome with advice on the definitions that a server refuses, and where definitions alone are judged on all of them. Beside objects a definition that is
 * accepted is what they are judged by: whoever asks about those waits for nothing else.
 */
export async function adviseDefinitions(
  outcome: EvaluationOutcome,
  { definitions, objects }: PlacedBatch,
  { options, unwantedAdvice, quiet, asServer }: EvaluateCommand,
  engine: Engine,
): Promise<EvaluationOutcome> {
  if (unwantedAdvice === 'all' || quiet || asServer) return outcome;
  const texts = await definitionTexts(
    definitions.map(({ slice }) => slice),
    serverOf(options),
  );
  const advised = outcome.definitions.map(async (report, i) => {
    const [document, definition] = [definitions[i], texts[i]];
    if (definition === undefined || (report.accepted && objects.length > 0)) return report;
    const answer = await engine.run({ kind: 'explain', definition, asSent: options.asSent, oldest: options.oldestVersion });
    if (answer.kind !== 'done') return report;
    const advice = placeAdvice(answer.result.explained.advice, document, unwantedAdvice).map(adviceFinding);
    return advice.length === 0 ? report : { ...report, findings: [...(report.findings ?? []), ...advice] };
  });
  return { ...outcome, definitions: await Promise.all(advised) };
}
