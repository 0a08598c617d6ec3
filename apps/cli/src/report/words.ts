import { refusedWrite, sameNames, supersededDefinitions } from '#documents';
import type {
  Effect,
  Impact,
  ItemOutcome,
  ObjectEffect,
  DefinitionReport,
  Additions,
  ConcernedRule,
  VerdictCauses,
  BoundSuggestion,
  CostBound,
  MendingBound,
} from '#documents';
import { times, changedShare, grouped } from '#numbers';
import { causeHeading, causeSentences, indented, ruleInLine, shownInLine } from '#report';
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

/** Maximum number of rules, with different texts or costs, that are listed below a cause. */
const LISTED = 5;
/** Maximum length of the text of a rule, in code points. */
const RULE_WIDTH = 100;

/** Returns lines that say why neighbouring Kubernetes versions have different verdicts on a definition, and which rules are concerned. */
export function causesText(causes: readonly VerdictCauses[]): string[] {
  return causes.flatMap((found) => [
    ...causeSentences(found).map((sentence) => indented(`${causeHeading(found)}: ${sentence}`)),
    ...found.rules.slice(0, LISTED).map((rule) => indented(ruleText(rule, found), '      ')),
    ...(found.rules.length > LISTED ? [`      … and ${found.rules.length - LISTED} other rules`] : []),
    ...found.sums.map(({ version, share }) => `      all rules of ${shownInLine(version)} together: ${changedShare(share, found)}`),
  ]);
}

function ruleText({ rule, isMessage, places, share }: ConcernedRule, versions: Pick<VerdictCauses, 'from' | 'to'>): string {
  const [first, ...others] = places;
  const at = first === undefined ? '' : `${first.version} ${first.path}${isMessage ? '.messageExpression' : ''}`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const costs = share === undefined ? '' : `${changedShare(share, versions)}: `;
  return `${shownInLine(ruleInLine(rule, RULE_WIDTH))}\n  ${shownInLine(`${costs}${at}${more}`)}`;
}

/** Returns a line with the smallest additions to a definition with which the versions `all` accept it. */
export function additionsText(additions: Additions, all: string): string {
  if ('why' in additions) return indented(`no bounds make ${all} accept it: ${noBoundsReason(additions)}`);
  return indented(`bounds with which ${all} accept it: ${addedBounds(additions.bounds).join(', ')}`);
}

/** Returns a text that says why no missing bounds suffice, and which existing bounds would have to be lowered. */
export function noBoundsReason({ why, tightening = [] }: Extract<Additions, { readonly why: string }>): string {
  return tightening.length === 0 ? why : `${why}; lowering existing bounds would: ${addedBounds(tightening).join(', ')}`;
}

/**
 * Returns a text about a bound in the schema and its effect on the cost of a rule, such as `spec.list: no maxItems: unbounded (the rule
 * runs for each)`.
 */
export function boundText({ path, keyword, value, drives }: CostBound): string {
  const bound = value === null ? `no ${keyword}: unbounded` : `${keyword} ${grouped(value)}`;
  return `${shownInLine(path)}: ${bound}${drives === 'evaluations' ? ' (the rule runs for each)' : ''}`;
}

/**
 * Returns a text about suggested bounds that reduce a cost below its limit, such as `spec.list: maxItems 4,096 suffices (now unbounded)`.
 */
export function suggestionText({ bounds }: BoundSuggestion): string {
  const wanted = bounds.map(({ path, keyword, suggested }) => `${shownInLine(path)}: ${keyword} ${grouped(suggested)}`);
  const now = bounds.map(({ value }) => (value === null ? 'unbounded' : grouped(value)));
  const before = new Set(now).size === 1 ? now[0] : now.join(', ');
  return bounds.length === 1 ? `${wanted.join('')} suffices (now ${before})` : `${wanted.join(', ')} together suffice (now ${before})`;
}

/** Returns a text about each bound that was added to a definition, such as `spec.list: maxItems 4096 (was 5000)`. Each text occurs once. */
export function addedBounds(bounds: readonly MendingBound[]): string[] {
  const texts = bounds.map(
    ({ path, keyword, suggested, before }) => `${path}: ${keyword} ${suggested}${before === null ? '' : ` (was ${before})`}`,
  );
  return [...new Set(texts)].map(shownInLine);
}
