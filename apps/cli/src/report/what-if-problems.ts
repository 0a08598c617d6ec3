import { emptyImpact } from '#documents';
import type { Effect } from '#documents';
import type { JunitCase } from '#report';
import type { Finding } from '#editing';
import type { ChangeOutcome, WhatIfOutcome } from '../what-if-command.ts';
import { problemRule } from './problem-rules.ts';
import type { Problem, ToolReport } from './tool-forms.ts';
import { EFFECT_WORDS, effectText } from './words.ts';

/** Descriptions of the effects, by the id of the report rule. */
const RULES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EFFECT_WORDS).map(([effect, words]) => [
    ruleOf(effect as Effect),
    `A change of the definition: the stored object is ${words}`,
  ]),
);
/** Severities of the problems in the report, by the effect of the change on an object. Any other effect is not reported as a problem. */
const SEVERITIES: Readonly<Partial<Record<Effect, Finding['severity']>>> = {
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
