import { definitionTexts, serverOf } from '#documents';
import type { AdviceAnswer, Envelope } from '#documents';
import { explainText } from '../explain/explain-text.ts';
import type { Engine } from '../ports.ts';

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
