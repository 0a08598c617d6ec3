import { NO_POLICIES } from '#documents';
import type { EvaluationOptions, PlacedBound } from '#documents';
import { mendText } from '#editing';
import { utf8Bytes, utf8Text } from '#go';
import { times } from '#numbers';
import { shownInLine } from '#report';
import type { Engine } from '#runner';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { placeText } from '../../report/words.ts';
import { explainDocuments } from './explain-documents.ts';
import type { PlacedExplanation } from './explain-documents.ts';

type PlacedObject = PlacedExplanation['objects'][number];

/** Maximum number of broken objects that are named. */
const NAMED = 10;

/** Definition with the bounds that are set in it, and objects that may be stored. */
interface BoundedDefinition {
  readonly document: PlacedDocument;
  readonly bounds: readonly PlacedBound[];
  readonly objects: readonly PlacedDocument[];
}

/** Returns the objects that a server accepts under a definition, but rejects if bounds are set in the definition. */
export async function brokenObjects(
  { document, bounds, objects }: BoundedDefinition,
  options: EvaluationOptions,
  engine: Engine,
): Promise<readonly PlacedObject[]> {
  const bounded = objects.length === 0 ? undefined : mendText(utf8Text(document.slice.bytes), bounds);
  if (bounded?.ok !== true) return [];
  const outcomes = async (definition: PlacedDocument): Promise<readonly PlacedObject[]> =>
    (await explainDocuments({ definitions: [definition], objects, policies: NO_POLICIES }, options, engine)).objects;
  const before = await outcomes(document);
  const after = await outcomes({ ...document, slice: { ...document.slice, bytes: utf8Bytes(bounded.text) } });
  return after.filter(({ outcome }, i) => outcome === 'rejected' && before[i]?.outcome === 'accepted');
}

/** Returns a text that names the given objects that new bounds break, each with the reason. Many objects are only counted. */
export function brokenText(broken: readonly PlacedObject[]): string {
  const named = broken.slice(0, NAMED).map((object) => {
    const name = object.name === undefined ? '' : ` ${JSON.stringify(object.name)}`;
    return shownInLine(`${placeText(object)}${name} (${object.status?.message ?? 'rejected'})`);
  });
  const more = broken.length > NAMED ? [`and ${broken.length - NAMED} more`] : [];
  return `warning: this breaks ${times(broken.length, 'given object')}: ${[...named, ...more].join(', ')}`;
}
