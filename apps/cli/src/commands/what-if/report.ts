import { compositeNotice, takenOffNotice, worstCauses, emptyImpact } from '#documents';
import type { CauseCount, DefinitionReport, Effect, Impact, ObjectEffect } from '#documents';
import { indented, shownInLine } from '#report';
import { times } from '#numbers';
import type { JunitCase } from '#report';
import type { EditorFinding } from '#editing';
import { policyChangeText } from './change-policies.ts';
import type { PolicyChangeOutcome } from './change-policies.ts';
import type { PlacedReport } from '../../evaluation/place-findings.ts';
import { effectCounts, effectSummary, effectText, placeText, EFFECT_WORDS } from '../../report/words.ts';
import { problemRule } from '../../report/tool-report.ts';
import type { Problem, ToolReport } from '../../report/tool-report.ts';

/** Effects of the change of one definition. */
export interface ChangeOutcome {
  readonly definition: DefinitionReport & PlacedReport;
  readonly impact: Impact;
  /** Objects that are affected by the change. */
  readonly objects: readonly (ObjectEffect & PlacedReport)[];
}

/** Result of `assay what-if`. */
export interface WhatIfOutcome {
  /** Changed definitions. A definition that is equal in both states is absent. */
  readonly changes: readonly ChangeOutcome[];
  /** Names of the definitions that are equal in both states. */
  readonly unchanged: readonly string[];
  /** Definitions that only the new state has, each with the verdict on its creation. */
  readonly added: readonly (DefinitionReport & PlacedReport)[];
  /** Definitions that only the old state has, each with the number of its objects. Without a definition, its objects do not exist. */
  readonly removed: readonly { readonly name: string; readonly objects: number }[];
  /** Effects of the change of admission policies; absent if neither state has policies. */
  readonly policies?: PolicyChangeOutcome;
  /** Number of objects of other kinds. */
  readonly skipped: number;
}

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

/** Descriptions of the effects, by the id of the report rule. */
const RULES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EFFECT_WORDS).map(([effect, words]) => [
    ruleOf(effect as Effect),
    `A change of the definition: the stored object is ${words}`,
  ]),
);
/** Severities of the problems in the report, by the effect of the change on an object. Any other effect is not reported as a problem. */
const SEVERITIES: Readonly<Partial<Record<Effect, EditorFinding['severity']>>> = {
  brokenOnUpdate: 'error',
  breaksOnNextChange: 'error',
  notJudged: 'error',
  savedByRatcheting: 'warning',
  storedDifferently: 'warning',
  invalidBefore: 'note',
};

/**
 * Returns the outcome of a what-if check as a report for other tools. Its problems are the refusal of the changed definition and the
 * effects on stored objects, with the fields that cause them. The change of the definition is one test case, and all unaffected objects
 * together are another. Each other object has its own test case, which fails if `failOn` contains the effect on the object. This test case
 * is skipped if there is no verdict on the object.
 */
export function whatIfProblems({ changes, added }: WhatIfOutcome, failOn: readonly Effect[]): ToolReport {
  const created = added.map((definition): ChangeOutcome => ({ definition, impact: emptyImpact(), objects: [] }));
  const reports = [...changes, ...created].map((change) => changeProblems(change, failOn));
  return {
    rules: { ...RULES, 'refused-definition': 'The API server refuses the change of the definition' },
    problems: reports.flatMap(({ problems }) => problems),
    cases: reports.flatMap(({ cases }) => cases),
  };
}

function changeProblems({ definition, impact, objects }: ChangeOutcome, failOn: readonly Effect[]): Omit<ToolReport, 'rules'> {
  const about = `CustomResourceDefinition ${JSON.stringify(definition.name)}`;
  const file = definition.location?.file ?? definition.source;
  const ofChange = (definition.findings ?? []).map((finding): Problem => ({ rule: problemRule(finding, about), finding, file, about }));
  const change: JunitCase = {
    name: `the change of ${definition.name}`,
    classname: file,
    file,
    line: definition.location?.line,
    failure: definition.accepted ? undefined : (definition.status?.message ?? 'refused'),
  };
  const cases = objects.map((object): JunitCase => {
    const { source, location, name = '', effect, message } = object;
    const words = [effectText(object), ...(message === undefined ? [] : [message])].join(': ');
    const fails = failOn.includes(effect);
    return {
      name: `object ${JSON.stringify(name)}`,
      classname: location?.file ?? source,
      file: location?.file ?? source,
      line: location?.line,
      failure: fails && effect !== 'notJudged' ? words : undefined,
      skipped: effect === 'notJudged' ? words : undefined,
    };
  });
  const unaffected = impact.objects - objects.length;
  const counted: JunitCase[] = unaffected > 0 ? [{ name: `${unaffected} objects that are unaffected`, classname: file, file }] : [];
  return {
    problems: [...ofChange, ...objects.flatMap(ofObject)],
    cases: [change, ...cases, ...counted],
  };
}

function ofObject(object: ChangeOutcome['objects'][number]): Problem[] {
  const { source, location, findings = [], name, effect, message } = object;
  const severity = SEVERITIES[effect];
  if (severity === undefined) return [];
  const about = `object${name === undefined ? '' : ` ${JSON.stringify(name)}`} ${effectText(object)}`;
  const file = location?.file ?? source;
  const rule = ruleOf(effect);
  if (findings.length > 0) return findings.map((finding) => ({ rule, file, about, finding: { ...finding, severity } }));
  const place = location && { location: { ...location, endLine: location.line, endColumn: location.column + 1 } };
  return [{ rule, file, about, finding: { severity, message: message ?? EFFECT_WORDS[effect], ...place } }];
}

/** Returns the id of the report rule for an effect, such as `broken-on-update` for `brokenOnUpdate`. */
function ruleOf(effect: Effect): string {
  return effect.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
