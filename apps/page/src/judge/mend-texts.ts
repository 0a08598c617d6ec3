import type { WorkPerformer } from '#runner/in-process';
import { findBounds } from '#service';
import { mendText } from '#editing';
import type { WorkSettings } from '../worker/serve-asks.ts';
import { optionsFor } from './evaluate-texts.ts';
import type { JudgeAsk, MendAnswer } from './judge-messages.ts';
import { documentsIn } from './read-texts.ts';
import { tellingEngine } from './telling-engine.ts';

/**
 * Adds size bounds, such as `maxItems`, to the definitions in the page's input panel `definitions`, so that a server accepts them. `assay
 * explain --fix` adds the same bounds.
 */
export async function mendTexts(
  performer: WorkPerformer,
  { texts, minor }: Extract<JudgeAsk, { kind: 'mend' }>,
  { signal, alive }: WorkSettings,
): Promise<MendAnswer> {
  const engine = tellingEngine(performer, alive);
  const options = optionsFor(minor);
  const bounds: MendAnswer['bounds'][number][] = [];
  const notMended: string[] = [];
  // Text between the definitions stays unchanged. The parts are joined at the end.
  const parts: string[] = [];
  let written = 0;
  const { definitions } = documentsIn(texts, ['definitions']);
  for (const { file, origin, slice } of definitions) {
    if (origin.item !== undefined) {
      notMended.push('a definition is an item of a list');
      continue;
    }
    const before = file.document(origin).text;
    const found = await findBounds(engine, slice, { minors: [minor], options, signal });
    const mended = found?.kind === 'found' ? mendText(before, found.bounds) : undefined;
    if (found?.kind === 'found' && mended?.ok === true) bounds.push(...found.bounds);
    if (found?.kind === 'none') notMended.push(found.why);
    if (mended?.ok === false) notMended.push(mended.why);
    parts.push(file.textBetween(written, origin.start), mended?.ok === true ? mended.text : before);
    written = origin.end;
  }
  const rest = definitions[0]?.file.textBetween(written) ?? texts.definitions;
  return { text: parts.join('') + rest, bounds, notMended };
}
