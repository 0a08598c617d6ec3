import { createTwoFilesPatch } from 'diff';
import type { EvaluationOptions, MendingBound } from '#documents';
import { MINORS, previewOf } from '#kube';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { findBounds } from '#service';
import { mendText } from '#editing';
import type { PlacedDocument } from '../../documents/read-documents.ts';

/** Document with the bounds that were added. */
interface MendedDocument {
  readonly kind: 'mended';
  readonly bounds: readonly MendingBound[];
  readonly text: string;
  /** Byte offsets of the document in the file. */
  readonly start: number;
  readonly end: number;
  /** The change as a unified diff of the file. */
  readonly patch: string;
}

/** Result of repairing a definition: nothing to change, the changed document, or the reason why no bound is sufficient. */
export type Mending = { readonly kind: 'in order' } | MendedDocument | { readonly kind: 'not mended'; readonly why: string };

/**
 * Adds size bounds, such as `maxItems`, to a definition, so that a server accepts the definition ({@link findBounds}). With an oldest version
 * in the options, every minor version from the oldest on accepts it. Also creates a patch of the file that contains the definition. Returns a
 * reason if the definition cannot be changed.
 */
export async function mendDefinition(document: PlacedDocument, options: EvaluationOptions, engine: Engine): Promise<Mending> {
  const { place, slice } = document;
  if (place === undefined || place.origin.item !== undefined) return { kind: 'not mended', why: 'it is an item of a list' };
  const found = await findBounds(engine, slice, { minors: wantedMinors(options), options });
  if (found === undefined) throw new Error('nobody stops the search for bounds');
  if (found.kind === 'accepted') return { kind: 'in order' };
  if (found.kind === 'none') return { kind: 'not mended', why: found.why };
  const { file, origin } = place;
  const mended = mendText(file.text.document(origin).text, found.bounds);
  if (!mended.ok) return { kind: 'not mended', why: mended.why };
  const { start, end } = origin;
  const whole = file.text.textBetween(0);
  const after = file.text.textBetween(0, start) + mended.text + file.text.textBetween(end);
  const patch = createTwoFilesPatch(`a/${file.name}`, `b/${file.name}`, whole, after);
  return { kind: 'mended', bounds: found.bounds, text: mended.text, start, end, patch };
}

/**
 * Returns the minor versions that must accept a definition: the chosen one, and every released one from the oldest on if there is an oldest.
 * A preview counts only if it is the chosen one, because its costs may still change.
 */
function wantedMinors({ kubernetesVersion, oldestVersion }: EvaluationOptions): readonly Minor[] {
  const from = oldestVersion === undefined ? MINORS.length : MINORS.indexOf(oldestVersion);
  return MINORS.filter((minor, i) => (i >= from && previewOf(minor) === undefined) || minor === kubernetesVersion);
}
