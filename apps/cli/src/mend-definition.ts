import { createTwoFilesPatch } from 'diff';
import { definitionText, definitionWrite, sentSlice, serverOf } from '#evaluation';
import type { EvaluationOptions, ExplainedDefinition, Notation } from '#evaluation';
import type { Engine } from '#runner';
import { mendText } from '#source';
import type { MendedText } from '#source';
import type { PlacedDocument } from './read-documents.ts';

/**
 * Result of repairing a definition. `text` is the document with the added bounds, and `patch` is the change as a unified diff of the file.
 * `start` and `end` are the byte offsets of the document in the file.
 */
export type Mending =
  | Exclude<MendedText, { kind: 'mended' }>
  | (Extract<MendedText, { kind: 'mended' }> & { readonly start: number; readonly end: number; readonly patch: string });

/**
 * Adds size bounds, such as `maxItems`, to a definition, so that a server accepts the definition ({@link mendText}). Also creates a patch
 * of the file that contains the definition. Returns a reason if the definition cannot be changed.
 */
export async function mendDefinition(document: PlacedDocument, options: EvaluationOptions, engine: Engine): Promise<Mending> {
  const { place } = document;
  if (place === undefined || place.origin.item !== undefined) return { kind: 'not mended', why: 'it is an item of a list' };
  const { file, origin } = place;
  const mended = await mendText(file.text.document(origin).text, (text) => explainText(text, options, engine));
  if (mended.kind !== 'mended') return mended;
  const { start, end } = origin;
  const whole = file.text.textBetween(0);
  const after = file.text.textBetween(0, start) + mended.text + file.text.textBetween(end);
  return { ...mended, start, end, patch: createTwoFilesPatch(`a/${file.name}`, `b/${file.name}`, whole, after) };
}

async function explainText(text: string, options: EvaluationOptions, engine: Engine): Promise<ExplainedDefinition | undefined> {
  const notation: Notation = text.trimStart().startsWith('{') ? 'json' : 'yaml';
  const slice = sentSlice({ bytes: new TextEncoder().encode(text), notation }, { cancelled: false });
  const definition = definitionText(slice, serverOf(options));
  const answer = await engine.run({ kind: 'explain', definition, ...definitionWrite(definition, options) });
  return answer.kind === 'done' ? answer.result.explained : undefined;
}
