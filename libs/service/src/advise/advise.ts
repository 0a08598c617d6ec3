import { definitionTexts, serverOf } from '#evaluation';
import type { AdviceAnswer, Envelope } from '#evaluation';
import { explainText } from '../explain/explain-text.ts';
import type { Engine } from '../ports.ts';

/**
 * Returns the report on each definition, and advice on how to improve its rules. The answer contains no cost estimates, and no costs
 * measured with objects.
 */
export async function advise(
  engine: Engine,
  { definitions, options }: Pick<Envelope, 'definitions' | 'options'>,
  signal?: AbortSignal,
): Promise<AdviceAnswer> {
  const texts = await definitionTexts(definitions, serverOf(options));
  const advised = texts.map(async (text) => {
    const { report, advice } = (await explainText(engine, text, options, signal)).explained;
    return { report, advice };
  });
  return { definitions: await Promise.all(advised) };
}
