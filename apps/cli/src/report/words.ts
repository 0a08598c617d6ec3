import { refusedWrite, sameNames, supersededDefinitions } from '#documents';
import type { Effect, Impact, ItemOutcome, ObjectEffect, DefinitionReport } from '#documents';
import { times } from '#numbers';
import type { PlacedReport } from '../evaluation/place-findings.ts';

/** Words for the outcome of an object. */
export const OUTCOME_WORDS: Readonly<Record<ItemOutcome, string>> = {
  accepted: 'accepted',
  rejected: 'refused',
  notEvaluated: 'not evaluated',
  cancelled: 'cancelled',
};

/** Words for the effects of a changed definition on a stored object. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  unaffected: 'unaffected',
  brokenOnUpdate: 'broken on update',
  breaksOnNextChange: 'breaks on the next change',
  savedByRatcheting: 'saved by ratcheting',
  storedDifferently: 'stored differently',
  mended: 'mended',
  invalidBefore: 'invalid before',
  notJudged: 'not judged',
};

/** Returns the words for the effect on one object, with the write that is refused: `breaks on the next change: an update is refused`. */
export function effectText(effect: Pick<ObjectEffect, 'effect' | 'write'>): string {
  const write = refusedWrite(effect);
  return write === undefined ? EFFECT_WORDS[effect.effect] : `${EFFECT_WORDS[effect.effect]}: ${write}`;
}

/** Returns the number of objects with each effect that occurs, such as `2 unaffected`. */
export const effectCounts = ({ effects }: Pick<Impact, 'effects'>): string[] =>
  Object.entries(effects).flatMap(([effect, count]) => (count > 0 ? [`${count} ${EFFECT_WORDS[effect as Effect]}`] : []));

/** Returns the last line of a report on effects: the number of objects, the number with each effect, and the costs before and after. */
export function effectSummary(objects: number, counts: readonly string[], [before, after]: readonly [number, number]): string {
  const effects = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
  return `Summary: ${times(objects, 'object')}${effects}; CEL cost ${before} → ${after}`;
}

/** Returns the location as `file:line:column`. If the text is not available, returns the file and the number of the document. */
export const placeText = ({ location, source }: PlacedReport): string =>
  location === undefined ? source : `${location.file}:${location.line}:${location.column}`;

/** Definition of a report: its name and its place among the input documents. */
type NamedDefinition = Pick<DefinitionReport, 'name'> & { readonly source: string };

/**
 * Returns a note for each name that several definitions have. It names their files, and the definition by which objects are judged if the
 * reports of one server are given.
 */
export function sameNameNotes(definitions: readonly (NamedDefinition | (DefinitionReport & NamedDefinition))[]): string[] {
  const reports = definitions.filter((one): one is DefinitionReport & NamedDefinition => 'digest' in one);
  const superseded = reports.length === definitions.length ? supersededDefinitions(reports) : undefined;
  return sameNames(definitions).map((positions) => {
    const sources = positions.map((i) => definitions[i]?.source ?? '');
    const text = `${positions.length} definitions are named ${definitions[positions[0] as number]?.name ?? ''} (${sources.join(', ')})`;
    const order = `${text}, and a server receives them in this order, the later ones as updates`;
    const standing = positions.filter((i) => superseded?.has(i) === false && reports[i]?.accepted === true);
    return standing.length === 0 ? order : `${order}: objects are judged by ${standing.map((i) => definitions[i]?.source).join()}`;
  });
}
