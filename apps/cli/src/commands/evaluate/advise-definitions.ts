import type { Engine } from '#runner';
import { advise } from '#service';
import { adviceFinding, placeAdvice } from '../../evaluation/advice.ts';
import type { EvaluationOutcome } from '../../evaluation/evaluate.ts';
import type { PlacedBatch } from '../../documents/read-documents.ts';
import type { EvaluateArguments } from './arguments.ts';

/**
 * Returns the outcome with advice added for refused definitions, or for all definitions if there are no objects. If there are objects, an
 * accepted definition gets no advice, so that the verdicts on the objects are not delayed. No advice is added if all advice is suppressed,
 * or if `quiet` or `asServer` is set.
 */
export async function adviseDefinitions(
  outcome: EvaluationOutcome,
  { definitions, objects }: PlacedBatch,
  { options, unwantedAdvice, quiet, asServer }: EvaluateArguments,
  engine: Engine,
): Promise<EvaluationOutcome> {
  if (unwantedAdvice === 'all' || quiet || asServer) return outcome;
  const wanted = outcome.definitions.map((report, i) => (report.accepted && objects.length > 0 ? undefined : definitions[i]));
  const found = wanted.filter((document) => document !== undefined);
  const advised = await advise(engine, { definitions: found.map(({ slice }) => slice), options });
  const answers = new Map(found.map((document, i) => [document, advised.definitions[i]]));
  const withAdvice = outcome.definitions.map((report, i) => {
    const document = wanted[i];
    const found = document === undefined ? [] : (answers.get(document)?.advice ?? []);
    const advice = placeAdvice(found, document, unwantedAdvice).map(adviceFinding);
    return advice.length === 0 ? report : { ...report, findings: [...(report.findings ?? []), ...advice] };
  });
  return { ...outcome, definitions: withAdvice };
}
