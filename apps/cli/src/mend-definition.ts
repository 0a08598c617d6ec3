import { createTwoFilesPatch } from 'diff';
import { definitionText, definitionWrite, inMinor, sentSlice, serverOf } from '#evaluation';
import type { DocumentSlice, EvaluationOptions, ExplainedDefinition, Notation } from '#evaluation';
import { MINORS, minorWords, previewOf } from '#kube';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { mendText } from '#source';
import type { MendedText } from '#source';
import { madeDefinitions } from './made-definitions.ts';
import type { PlacedDocument } from './read-documents.ts';
import type { Additions } from './report/causes-text.ts';

/**
 * Result of repairing a definition. `text` is the document with the added bounds, and `patch` is the change as a unified diff of the file.
 * `start` and `end` are the byte offsets of the document in the file.
 */
export type Mending =
  | Exclude<MendedText, { kind: 'mended' }>
  | (Extract<MendedText, { kind: 'mended' }> & { readonly start: number; readonly end: number; readonly patch: string });

/**
 * Adds size bounds, such as `maxItems`, to a definition, so that a server accepts the definition ({@link mendText}). With an oldest version
 * in the options, every minor version from the oldest on accepts it. Also creates a patch of the file that contains the definition. Returns a
 * reason if the definition cannot be changed.
 */
export async function mendDefinition(document: PlacedDocument, options: EvaluationOptions, engine: Engine): Promise<Mending> {
  const { place } = document;
  if (place === undefined || place.origin.item !== undefined) return { kind: 'not mended', why: 'it is an item of a list' };
  const { file, origin } = place;
  const mended = await mendForMinors(file.text.document(origin).text, wantedMinors(options), options, engine);
  if (mended.kind !== 'mended') return mended;
  const { start, end } = origin;
  const whole = file.text.textBetween(0);
  const after = file.text.textBetween(0, start) + mended.text + file.text.textBetween(end);
  return { ...mended, start, end, patch: createTwoFilesPatch(`a/${file.name}`, `b/${file.name}`, whole, after) };
}

/** Adds size bounds to the text of a definition, so that all of the minor versions accept it. */
async function mendForMinors(before: string, minors: readonly Minor[], options: EvaluationOptions, engine: Engine): Promise<MendedText> {
  let minor = options.kubernetesVersion;
  const mended = await mendText(before, async (text) => {
    const found = await firstRefusal(text, minors, options, engine);
    minor = found?.minor ?? minor;
    return found?.explained;
  });
  return mended.kind === 'not mended' && minors.length > 1 ? { ...mended, why: `Kubernetes ${minorWords(minor)}: ${mended.why}` } : mended;
}

/** Returns the smallest bounds with which all of the minor versions accept a definition, or the reason why bounds do not suffice. */
export async function additionsTo(
  definition: DocumentSlice,
  minors: readonly Minor[],
  options: EvaluationOptions,
  engine: Engine,
): Promise<Additions> {
  const mended = await mendForMinors(Buffer.from(definition.bytes).toString(), minors, options, engine);
  if (mended.kind === 'mended') return { bounds: mended.bounds };
  return { why: mended.kind === 'not mended' ? mended.why : 'all of them accept it' };
}

/** Explanation of a definition by one minor version. */
interface MinorExplanation {
  readonly minor: Minor;
  readonly explained: ExplainedDefinition | undefined;
}

/**
 * Returns the explanation of the first minor version that does not accept the definition, the oldest first. Returns the explanation of the
 * last one if all accept it.
 */
async function firstRefusal(
  text: string,
  minors: readonly Minor[],
  options: EvaluationOptions,
  engine: Engine,
): Promise<MinorExplanation | undefined> {
  const notation: Notation = text.trimStart().startsWith('{') ? 'json' : 'yaml';
  const bytes = Buffer.from(text);
  const [made] = await madeDefinitions({ name: '', bytes }, engine);
  const slice = made ?? sentSlice({ bytes, notation }, { cancelled: false });
  let last: MinorExplanation | undefined;
  for (const minor of minors) {
    const definition = definitionText(slice, serverOf(inMinor(options, minor)));
    const answer = await engine.run({ kind: 'explain', definition, ...definitionWrite(definition, options) });
    last = { minor, explained: answer.kind === 'done' ? answer.result.explained : undefined };
    if (last.explained?.report.accepted !== true) return last;
  }
  return last;
}

/**
 * Returns the minor versions that must accept a definition: the chosen one, and every released one from the oldest on if there is an oldest.
 * A preview counts only if it is the chosen one, because its costs may still change.
 */
function wantedMinors({ kubernetesVersion, oldestVersion }: EvaluationOptions): readonly Minor[] {
  const from = oldestVersion === undefined ? MINORS.length : MINORS.indexOf(oldestVersion);
  return MINORS.filter((minor, i) => (i >= from && previewOf(minor) === undefined) || minor === kubernetesVersion);
}
