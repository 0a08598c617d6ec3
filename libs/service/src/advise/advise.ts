import { definitionTexts, serverOf } from '#evaluation';
import type { AdviceAnswer, Envelope } from '#evaluation';
import { explainText } from '../explain/explain-text.ts';
import type { Engine } from '../ports.ts';

/** Gives advice on the rules of definitions. It measures nothing in objects, and answers no prices. */
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
