import { compositeNotice, takenOffNotice, worstCauses } from '#documents';
import type { CauseCount, Effect } from '#documents';
import { times } from '#numbers';
import { indented, shownInLine } from '#report';
import type { ChangeOutcome, WhatIfOutcome } from './what-if-command.ts';
import { policyChangeText } from './what-if-policies.ts';
import { effectCounts, effectSummary, effectText, placeText } from './report/words.ts';

/** Maximum number of objects that the text lists one by one; all objects are counted. */
const LISTED = 50;
/** Effects whose objects are listed, the most harmful first. */
const LISTED_EFFECTS: readonly Effect[] = [
  'brokenOnUpdate',
  'breaksOnNextChange',
  'notJudged',
  'savedByRatcheting',
  'storedDifferently',
  'invalidBefore',
  'mended',
];

/** Returns true if the verdict on at least one object was computed, or if nothing changed. Otherwise, the effects are unknown. */
export function judgesSomething({ changes, policies }: WhatIfOutcome): boolean {
  const ofPolicies = policies === undefined ? [] : Object.entries(policies.effects);
  const judged =
    changes.reduce((sum, { impact }) => sum + impact.objects - impact.effects.notJudged, 0) +
    ofPolicies.reduce((sum, [effect, count]) => sum + (effect === 'notJudged' ? 0 : count), 0);
  return judged > 0 || (changes.length === 0 && policies === undefined);
}

/** Returns the outcome as readable text: each changed, added and removed definition, and the change of policies. */
export function whatIfText(outcome: WhatIfOutcome): string {
  const { changes, unchanged, added, removed, policies, skipped } = outcome;
  const others = [
    ...added.map(
      ({ name, accepted, status }) => `${shownInLine(name)} is new, and ${accepted ? 'accepted' : `refused: ${status?.message ?? ''}`}`,
    ),
    ...removed.map(({ name, objects }) => `${shownInLine(name)} is gone${objects > 0 ? `, and with it ${times(objects, 'object')}` : ''}`),
    ...(unchanged.length > 0 ? [`${times(unchanged.length, 'definition')} unchanged`] : []),
    ...(skipped > 0 ? [`${times(skipped, 'object')} of other kinds skipped`] : []),
  ];
  const parts = [
    ...changes.map(changeText),
    ...(policies === undefined ? [] : [policyChangeText(policies)]),
    ...(others.length > 0 ? [`${others.join('\n')}\n`] : []),
    ...(judgesSomething(outcome) ? [] : ['No object could be judged: nothing is known of what the change does.\n']),
  ];
  return parts.join('\n');
}

/**
 * Returns a change as readable text: the definition, the reasons for which objects are refused, the affected objects with their effects, and
 * the counts.
 */
function changeText({ definition, impact, objects }: ChangeOutcome): string {
  const { name, accepted, status, warnings, takenOff } = definition;
  const lines = [`The change of ${shownInLine(name)} ${accepted ? 'is admitted' : 'is refused'}`];
  if (status) lines.push(indented(status.message));
  for (const warning of warnings) lines.push(indented(`warning: ${warning}`, '  '));
  for (const notice of [takenOffNotice(takenOff ? 1 : 0, '--as-sent'), compositeNotice([definition])])
    if (notice !== undefined) lines.push(shownInLine(`Note: ${notice}`));
  if (!accepted) return `${lines.join('\n')}\n`;
  const causes = worstCauses(impact);
  if (causes.length > 0) lines.push('', 'What refuses objects, most damaging first:', ...causes.map(causeLine));
  const listed = LISTED_EFFECTS.flatMap((effect) => objects.filter((object) => object.effect === effect));
  if (listed.length > 0) lines.push('', 'Objects:', ...listed.slice(0, LISTED).flatMap(objectLines));
  if (listed.length > LISTED) lines.push(`  … and ${listed.length - LISTED} more (-o json lists all)`);
  lines.push('', effectSummary(impact.objects, effectCounts(impact), [impact.costBefore, impact.costAfter]));
  return `${lines.join('\n')}\n`;
}

function causeLine({ cause, objects, brokenOnUpdate, breaksOnNextChange }: CauseCount): string {
  const counts: readonly (readonly [number, string])[] = [
    [brokenOnUpdate, 'at every write'],
    [breaksOnNextChange, 'at the next change'],
    [objects - brokenOnUpdate - breaksOnNextChange, 'only as a new object'],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, when]) => `${times(count, 'object')} ${when}`);
  return shownInLine(`  ${cause.field}: ${cause.message} (${words.join(', ')})`);
}

function objectLines(object: ChangeOutcome['objects'][number]): string[] {
  const { location, source, findings, name, message, nextChange, changes, frozen = [] } = object;
  const at = findings?.find((finding) => finding.location !== undefined)?.location ?? location;
  const place = placeText({ source, location: location && { ...location, ...at } });
  const lines = [shownInLine(`  ${place} ${name === undefined ? '' : JSON.stringify(name)} ${effectText(object)}`)];
  if (nextChange) lines.push(`      such as ${fieldText(nextChange)}`);
  if (message !== undefined) lines.push(indented(message, '      '));
  const isFrozen = frozen.map((path) => shownInLine(`      ${path} is frozen from now on: no update may change it`));
  return [...lines, ...changes.map((change) => `      ${fieldText(change)}`), ...isFrozen];
}

function fieldText({ path, before, after }: ChangeOutcome['objects'][number]['changes'][number]): string {
  return shownInLine(`${path}: ${before ?? '(nothing)'} → ${after ?? '(nothing)'}`);
}
