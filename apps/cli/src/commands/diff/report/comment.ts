import { EXPRESSION_COST_LIMIT, minorWords, MINORS, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { percent, times } from '#numbers';
import { markdownCell, markdownTable } from '#report';
import type { EstimateChanges, RuleEstimates } from '#service';
import { changeCommentText, detailHeading } from '../../../report/change-comment.ts';
import type { CommentDefinition, CommentObject, CommentRule, ShareChange } from '../../../report/change-comment.ts';
import { minorsText } from '../../../report/version-matrix.ts';
import { effectText } from '../../../report/words.ts';
import { placeInObjects } from '../../../tracking/tracked-definition.ts';
import { compositeNote, MAX_LISTED, refusalText, beforeAndAfter, breakingFirst, costText, impactText } from './text.ts';
import type { DiffOutcome, GatedDiff } from './text.ts';

/** Returns the result of `assay diff` as a comment for a pull request, in Markdown. */
export function diffComment({ definitions, estimates, sources }: DiffOutcome): string {
  const note = compositeNote(definitions);
  return changeCommentText({
    title:
      definitions.length === 0 ? 'No CustomResourceDefinition changed' : `${times(definitions.length, 'CustomResourceDefinition')} changed`,
    definitions: definitions.map((diff, i) => commentDefinition(diff, estimates[i])),
    rules: definitions
      .flatMap(({ name }, i) => (estimates[i]?.rules ?? []).flatMap((rule) => commentRule(definitions.length > 1 ? name : '', rule)))
      .toSorted((a, b) => importance(b) - importance(a)),
    objects: definitions.flatMap((diff) => brokenObjects(diff, sources)),
    failed: definitions.flatMap(({ name, failed = [] }) =>
      failed.map(({ version, path, text }) => `${[name, version, path && placeInObjects(path)].filter(Boolean).join(' ')}: ${text}`),
    ),
    notes: note === undefined ? [] : [`Note: ${note}`],
    details: definitions.flatMap((diff, i) => [...(i === 0 ? [] : ['']), ...definitionDetails(diff, sources)]),
  });
}

function commentDefinition(diff: GatedDiff, estimates: EstimateChanges | undefined): CommentDefinition {
  const totals = (estimates?.totals ?? []).flatMap(({ version, costs }) => {
    const worst = worstChange(costs, SCHEMA_COST_LIMIT);
    return worst === undefined ? [] : [{ version, ...worst }];
  });
  const [total] = totals.toSorted((a, b) => (b.after ?? b.before ?? 0) - (a.after ?? a.before ?? 0));
  return { name: diff.name, state: diff.state, verdict: verdictText(diff, estimates), total };
}

/**
 * Returns the change of a cost as shares of a limit, on the minor versions with the highest newer cost among those with a change. `on`
 * names these versions; it is empty if all versions have the same costs. Undefined if the rule has no estimate.
 */
function worstChange(costs: RuleEstimates['costs'], limit: bigint): (ShareChange & { readonly on: string }) | undefined {
  const known = MINORS.filter((minor) => costs[minor] !== undefined);
  const changed = known.filter((minor) => costs[minor]?.before !== costs[minor]?.after);
  const size = (minor: Minor): number => Number(costs[minor]?.after ?? -1);
  const [worst] = (changed.length > 0 ? changed : known).toSorted(
    (a, b) => size(b) - size(a) || Number(costs[b]?.before ?? 0) - Number(costs[a]?.before ?? 0),
  );
  const change = worst === undefined ? undefined : costs[worst];
  if (change === undefined) return undefined;
  const alike = known.filter((minor) => costs[minor]?.after === change.after && costs[minor]?.before === change.before);
  const share = (cost: string | undefined): number | undefined => (cost === undefined ? undefined : Number(cost) / Number(limit));
  const on = alike.length === known.length ? '' : minorsText(alike, MINORS, minorWords);
  return { before: share(change.before), after: share(change.after), on };
}

/** Returns the verdicts of the minor versions on a definition: which refuse it, and whether they accepted the older state. */
function verdictText({ state, report, minors: { refused, mended } }: GatedDiff, estimates: EstimateChanges | undefined): string {
  if (state === 'removed') return '';
  const refusing = MINORS.filter((minor) => estimates?.accepted[minor]?.after === false && !refused.includes(minor));
  const words = state === 'added' ? '' : ', as before';
  const parts = [
    ...(refused.length > 0 ? [`refused from now on by ${minorsText(refused, MINORS, minorWords)}`] : []),
    ...(refusing.length > 0 ? [`refused by ${minorsText(refusing, MINORS, minorWords)}${words}`] : []),
    ...(mended.length > 0 ? [`accepted from now on by ${minorsText(mended, MINORS, minorWords)}`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  return report?.accepted === false ? 'the change is refused' : 'accepted by all versions';
}

/** Returns a rule whose cost changes on a minor version, or that is new, moved, changed or gone. */
function commentRule(definition: string, { version, path, rule, state, costs }: RuleEstimates): CommentRule[] {
  const changes = MINORS.some((minor) => costs[minor]?.before !== costs[minor]?.after);
  if (state === 'same' && !changes) return [];
  const place = `${definition} ${version} ${placeInObjects(path)}`.trim();
  const worst = worstChange(costs, EXPRESSION_COST_LIMIT);
  if (worst === undefined) return [{ place, rule, state: state === 'gone' ? state : 'does not compile' }];
  return [{ place, rule, state: state === 'same' ? 'other bounds' : state, ...worst }];
}

/** Returns how soon a reader needs to see a rule: rules that do not compile, then by the larger share. */
const importance = ({ state, before = 0, after = 0 }: CommentRule): number =>
  state === 'does not compile' ? Infinity : Math.max(after, state === 'gone' ? 0 : before / 1000);

/** Effects on objects that break them. */
const BREAKING = new Set(['brokenOnUpdate', 'breaksOnNextChange']);

const brokenObjects = ({ objects }: GatedDiff, sources: readonly string[]): CommentObject[] =>
  objects
    .filter(({ effect }) => BREAKING.has(effect))
    .map((object) => ({
      name: object.name ?? '',
      source: sources[object.index] ?? '',
      effect: effectText(object),
      message: object.message ?? '',
    }));

/** Returns everything that is known about the change of one definition. */
function definitionDetails(diff: GatedDiff, sources: readonly string[]): string[] {
  const { name, state, changes, report, prices, minors } = diff;
  return [
    detailHeading(name, `${state}${refusalText(diff)}`),
    ...(report?.accepted === false ? ['', `> ${markdownCell(report.status?.message ?? '')}`] : []),
    ...(minors.refused.length > 0 ? ['', `**Refused from now on by ${minors.refused.map(minorWords).join(', ')}.**`] : []),
    ...(minors.mended.length > 0 ? ['', `Accepted from now on by ${minors.mended.map(minorWords).join(', ')}.`] : []),
    ...markdownTable(
      ['Change', 'Where', 'Breaking'],
      [...changes]
        .sort(breakingFirst)
        .map((change) => [beforeAndAfter(change), `${change.version ?? ''} ${change.path}`, change.breaking ? 'yes' : 'no']),
    ),
    ...markdownTable(
      ['Rule', 'Cost before', 'after', 'of the limit'],
      prices
        .slice(0, MAX_LISTED)
        .map(({ rule, state, before, after, factor }) => [
          rule,
          state === 'new' ? 'new' : costText(before),
          state === 'gone' ? 'gone' : costText(after),
          factor === undefined ? '' : percent(factor),
        ]),
    ),
    ...impactText(diff).flatMap((text) => ['', text]),
    ...objectsTable(diff, sources),
  ];
}

function objectsTable({ objects }: GatedDiff, sources: readonly string[]): string[] {
  const rows = objects
    .slice(0, MAX_LISTED)
    .map((object) => [object.name ?? '', sources[object.index] ?? '', effectText(object), object.message ?? '']);
  const more = objects.length - rows.length;
  return [...markdownTable(['Object', 'Where', 'Effect', 'Message'], rows), ...(more > 0 ? ['', `And ${more} more.`] : [])];
}
