import { compositeNotice, takenOffNotice, worstCauses } from '#evaluation';
import type { CauseCount, Effect } from '#evaluation';
import { indented, shownInLine } from '#report-forms';
import type { WhatIfOutcome } from './what-if-command.ts';
import { EFFECT_WORDS, placeText } from './report/words.ts';

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

/**
 * Returns the outcome as readable text: the change, the reasons for which objects are refused, the affected objects with their effects, and
 * the counts.
 */
export function whatIfText({ definition, impact, objects }: WhatIfOutcome): string {
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
  const counts = Object.entries(impact.effects).map(([effect, count]) => `${EFFECT_WORDS[effect as Effect]}: ${count}`);
  lines.push(
    '',
    `Summary: ${impact.objects} ${nounOf(impact.objects)} - ${counts.join(', ')}; CEL cost ${impact.costBefore} → ${impact.costAfter}`,
  );
  if (impact.objects === impact.effects.notJudged) lines.push('No object could be judged: nothing is known of what the change does.');
  return `${lines.join('\n')}\n`;
}

const nounOf = (objects: number): string => (objects === 1 ? 'object' : 'objects');

function causeLine({ cause, objects, brokenOnUpdate, breaksOnNextChange }: CauseCount): string {
  const counts = `${objects} ${nounOf(objects)} (${brokenOnUpdate} even unchanged, ${breaksOnNextChange} on the next change)`;
  return shownInLine(`  ${counts}  ${cause.field}: ${cause.message || cause.reason}`);
}

function objectLines(object: WhatIfOutcome['objects'][number]): string[] {
  const { location, source, findings, name, effect, message, nextChange, changes, frozen = [] } = object;
  const at = findings?.find((finding) => finding.location !== undefined)?.location ?? location;
  const place = placeText({ source, location: location && { ...location, ...at } });
  const lines = [shownInLine(`  ${place} ${name === undefined ? '' : JSON.stringify(name)} ${EFFECT_WORDS[effect]}`)];
  if (nextChange) lines.push(`      such as ${changeText(nextChange)}`);
  if (message !== undefined) lines.push(indented(message, '      '));
  const isFrozen = frozen.map((path) => shownInLine(`      ${path} is frozen from now on: no update may change it`));
  return [...lines, ...changes.map((change) => `      ${changeText(change)}`), ...isFrozen];
}

function changeText({ path, before, after }: WhatIfOutcome['objects'][number]['changes'][number]): string {
  return shownInLine(`${path}: ${before ?? '(nothing)'} → ${after ?? '(nothing)'}`);
}
