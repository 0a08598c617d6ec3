import { createHash } from 'node:crypto';
import { writeJson } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import type { WritePlan } from '#benchmark';
import { performCell } from '../../libs/benchmark/src/cells/perform-cell.ts';
import { candidateOf, plannedField } from '../../libs/benchmark/src/cells/write-plan.ts';
import { WholeObject } from '../../libs/benchmark/src/object/whole-object.ts';
import { withSize } from '../../libs/benchmark/src/search/dimensions.ts';
import type { Candidate } from '../../libs/benchmark/src/search/rule-probe.ts';
import { KNOWN_RULES, startOf } from '../../libs/benchmark/src/testing/known-rules.ts';
import type { KnownRule } from '../../libs/benchmark/src/testing/known-rules.ts';
import { pollPorts, POLLS, RUNNING, SPEC_RULE, widgetDocument, widgetSubjects } from '../../libs/benchmark/src/testing/studied-widget.ts';

/** A write for which a study (benchmark of a rule) reports the cost of a rule. `question` asks the oracle for the same cost. */
export interface StudyPoint {
  readonly rule: string;
  /**
   * Path of the field that grows in the series, followed by the unit of its size. For the most expensive write, the text is
   * `most expensive write, bytes`.
   */
  readonly field: string;
  readonly size: number;
  /** Cost of the rule in cost units, as the study reports it. */
  readonly cost: number;
  /** First 12 hexadecimal digits of the SHA-256 digest of the object's JSON. */
  readonly digest: string;
  /** One line of the oracle's protocol: the request that asks the oracle to judge the creation of the object. */
  readonly question: string;
}

const COSTS = { kind: 'costs', rule: SPEC_RULE, seed: 1, objects: [], hints: [] } as const;
/** Time limit in ms for the search for the most expensive write. */
const SEARCH_MS = 2000;

/**
 * Returns the points of all cost series, for rules whose growth is known. Sizes at which a server would abort the rule, or above the
 * schema's bound, are left out. Each series begins at a fixed write, so no search is needed.
 */
export function seriesPoints(): readonly StudyPoint[] {
  return KNOWN_RULES.flatMap((rule) => {
    const start = startOf(rule);
    const { growsWith, from, points } = studied(rule, start);
    if (JSON.stringify(from) !== JSON.stringify(start)) throw new Error(`${rule.name} does not start where it is told`);
    const { plan, old } = candidateOf(start);
    return growsWith.flatMap(({ field, unit, bound = Infinity, points: sizes }) =>
      sizes.flatMap(({ size, cost }) => {
        const dimension = { field: plannedField(field), unit, least: 0, most: bound };
        return size > bound ? [] : points({ plan: withSize(plan, dimension, size), old }, { field: `${field} ${unit}`, size, cost });
      }),
    );
  });
}

/** Returns the most expensive write that a search finds for each rule of known growth. Writes that exceed a cost limit are left out. */
export function costliestPoints(): readonly StudyPoint[] {
  return KNOWN_RULES.flatMap((rule) => {
    const { worst, points } = studied(rule);
    if (worst === undefined) throw new Error(`no write of ${rule.name} was found`);
    return points(candidateOf(worst.plan), { field: 'most expensive write, bytes', size: worst.bytes, cost: worst.cost });
  });
}

/**
 * Studies the costs of a rule, from the write `start` if it is given, otherwise with a search. Returns the findings and a function
 * `points`, which converts a write to study points.
 */
function studied({ name, spec }: KnownRule, start?: WritePlan) {
  const subjects = widgetSubjects(spec);
  const found = subjects.head('adaptive').find(SPEC_RULE);
  if (found === undefined) throw new Error(`${name} has no rule`);
  const whole = new WholeObject(found.among.definition, found.rule, found.among.writing);
  const points = (candidate: Candidate, at: Pick<StudyPoint, 'field' | 'size' | 'cost'>): StudyPoint[] => {
    const trial = whole.judge(candidate, undefined);
    if (trial.kind !== 'judged' || at.cost > PER_CALL_LIMIT) return [];
    const object = writeJson(trial.object);
    const digest = createHash('sha256').update(object).digest('hex').slice(0, 12);
    const id = JSON.stringify(`${name} ${at.field} ${at.size}`);
    const question = `{"id":${id},"kind":"object","crd":${JSON.stringify(widgetDocument(spec))},"object":${object}}`;
    return [{ rule: name, ...at, digest, question }];
  };
  const findings =
    start === undefined
      ? performCell({ ...COSTS, ms: SEARCH_MS }, subjects, RUNNING)
      : performCell({ ...COSTS, ms: POLLS, start }, subjects, pollPorts());
  return { ...findings, points };
}
