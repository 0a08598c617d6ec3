import { createTwoFilesPatch } from 'diff';
import { acceptingMinors, NO_POLICIES } from '#documents';
import type { EvaluationOptions, MendingBound, PlacedBound } from '#documents';
import { mendText } from '#editing';
import { utf8Bytes, utf8Text } from '#go';
import type { BoundChoice } from '#kube';
import { times } from '#numbers';
import { shownText, shownInLine } from '#report';
import type { Engine } from '#runner';
import { findBounds } from '#service';
import type { PlacedBatch, PlacedDocument } from '../../documents/read-documents.ts';
import type { FileAccess } from '../../files/file-access.ts';
import { FILE_LIMITS } from '../../files/file-problem.ts';
import { writeFile } from '../../files/write-file.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import { reportOnStderr } from '../../report/print.ts';
import { addedBounds, placeText } from '../../report/words.ts';
import { EXIT, UsageError } from '../../usage.ts';
import { explainDocuments } from './explain-documents.ts';
import type { PlacedExplanation } from './explain-documents.ts';

/** Bounds that may change to repair definitions. `patch` prints the changes as a patch, and `write` changes the files. */
export interface BoundRepair {
  readonly as: 'patch' | 'write';
  readonly choice: BoundChoice;
}

interface MendSettings extends BoundRepair, CommandSettings {
  readonly options: EvaluationOptions;
}

/**
 * Writes a patch for each definition, or changes the file of each definition if the command requests it. Says on standard error which bounds
 * were added, and which of the given objects they break. Resolves with the exit status.
 */
export async function mendAll(command: MendSettings, documents: PlacedBatch, engine: Engine): Promise<number> {
  const { definitions } = documents;
  if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
  let failed = false;
  // Mends the last definition of a file first, so that the positions of the earlier definitions stay valid.
  for (const document of oneOfEachPlace(definitions).toReversed()) {
    const mending = await mendDefinition(document, command, engine);
    for (const sentence of sentencesOf(mending)) reportOnStderr(`${document.source}: ${sentence}`);
    failed ||= mending.kind === 'not mended';
    if (mending.kind !== 'mended') continue;
    const broken = await brokenObjects({ document, bounds: mending.bounds, objects: documents.objects }, command.options, engine);
    if (broken.length > 0) reportOnStderr(`${document.source}: ${brokenText(broken)}`);
    const file = document.place?.file.name ?? '';
    if (command.as === 'patch') failed = !writePatch(mending.patch, document.source) || failed;
    else if (file === 'stdin') throw new UsageError('--fix --write needs files, not standard input');
    else writeMended(file, mending, command.reading.access);
  }
  return failed ? EXIT.rejected : EXIT.ok;
}

/** Returns the documents without those at the place of an earlier one, because Crossplane makes several definitions of one document. */
function oneOfEachPlace(documents: readonly PlacedDocument[]): readonly PlacedDocument[] {
  const seen = new Set<string>();
  return documents.filter(({ place }) => {
    if (place === undefined) return true;
    const key = `${place.origin.start} ${place.origin.item ?? ''} ${place.file.name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/**
 * Prints a patch and returns true. Returns false without printing if the patch would command a terminal or a CI system. A patch cannot
 * escape such text, because it must contain the bytes of the file. Carriage returns at line ends and a byte order mark are harmless.
 */
function writePatch(patch: string, source: string): boolean {
  const text = patch.replaceAll('\r\n', '\n').replace(/^([ +-])\ufeff/gm, '$1');
  const isHarmless = shownText(text) === text;
  if (isHarmless) process.stdout.write(patch);
  else
    reportOnStderr(
      `${source}: no patch is printed, because the file has text that commands a terminal or a CI system; --fix --write changes the file`,
    );
  return isHarmless;
}

function writeMended(file: string, { start, end, text }: MendedDocument, access: FileAccess): void {
  const read = access.read(file, FILE_LIMITS.documents);
  if (!read.ok) throw new UsageError(`${file}: ${read.problem}`);
  writeFile(file, Buffer.concat([read.content.subarray(0, start), Buffer.from(text), read.content.subarray(end)]));
}

/** Returns sentences about the result for one definition: the bounds, and that a lowered bound breaks objects. */
function sentencesOf(mending: Mending): readonly string[] {
  if (mending.kind === 'in order') return ['already accepted'];
  if (mending.kind === 'mended') {
    const accepted = `accepted with ${addedBounds(mending.bounds).join(', ')}`;
    const isLowered = mending.bounds.some(({ before }) => before !== null);
    return isLowered ? [accepted, 'warning: a lowered bound breaks stored objects that exceed it'] : [accepted];
  }
  const { why, tightening = [] } = mending;
  if (tightening.length === 0) return [`not fixed: ${why}`];
  return [
    `not fixed: ${why}`,
    `--allow-tightening would set ${addedBounds(tightening).join(', ')}; a lowered bound breaks stored objects that exceed it`,
  ];
}

/** Document with the bounds that were added. */
interface MendedDocument {
  readonly kind: 'mended';
  readonly bounds: readonly PlacedBound[];
  readonly text: string;
  /** Byte offsets of the document in the file. */
  readonly start: number;
  readonly end: number;
  /** The change as a unified diff of the file. */
  readonly patch: string;
}

/**
 * Result of repairing a definition: nothing to change, the changed document, or the reason why no allowed bound is sufficient. `tightening`
 * has bounds that are sufficient if existing ones are lowered, too.
 */
export type Mending =
  | { readonly kind: 'in order' }
  | MendedDocument
  | { readonly kind: 'not mended'; readonly why: string; readonly tightening?: readonly MendingBound[] };

/**
 * Changes size bounds, such as `maxItems`, of a definition, so that a server accepts the definition ({@link findBounds}). With an oldest
 * version in the options, every minor version from the oldest on accepts it. Also creates a patch of the file that contains the definition.
 * Returns a reason if the definition cannot be changed.
 */
export async function mendDefinition(
  document: PlacedDocument,
  { options, choice }: Pick<MendSettings, 'options' | 'choice'>,
  engine: Engine,
): Promise<Mending> {
  const { place, slice } = document;
  if (place === undefined || place.origin.item !== undefined) return { kind: 'not mended', why: 'it is an item of a list' };
  const found = await findBounds(engine, slice, { minors: acceptingMinors(options), options, choice });
  if (found === undefined) throw new Error('nobody stops the search for bounds');
  if (found.kind === 'accepted') return { kind: 'in order' };
  if (found.kind === 'none') return { kind: 'not mended', why: found.why, ...(found.tightening && { tightening: found.tightening }) };
  const { file, origin } = place;
  const mended = mendText(file.text.document(origin).text, found.bounds);
  if (!mended.ok) return { kind: 'not mended', why: mended.why };
  const { start, end } = origin;
  const whole = file.text.textBetween(0);
  const after = file.text.textBetween(0, start) + mended.text + file.text.textBetween(end);
  const patch = createTwoFilesPatch(`a/${file.name}`, `b/${file.name}`, whole, after);
  return { kind: 'mended', bounds: found.bounds, text: mended.text, start, end, patch };
}

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
async function brokenObjects(
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
function brokenText(broken: readonly PlacedObject[]): string {
  const named = broken.slice(0, NAMED).map((object) => {
    const name = object.name === undefined ? '' : ` ${JSON.stringify(object.name)}`;
    return shownInLine(`${placeText(object)}${name} (${object.status?.message ?? 'rejected'})`);
  });
  const more = broken.length > NAMED ? [`and ${broken.length - NAMED} more`] : [];
  return `warning: this breaks ${times(broken.length, 'given object')}: ${[...named, ...more].join(', ')}`;
}
