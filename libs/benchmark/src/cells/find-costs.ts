import { readSlice } from '#documents';
import type { LoneRule } from '#crd';
import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { seededRandom } from '../figures/sample-rounds.ts';
import type { FieldGrowth, JointFieldGrowth, LimitFound, RuleStudy } from '../study/rule-study.ts';
import type { BudgetEnd } from '../study/study-report.ts';
import { studyRule } from '../study/study-rule.ts';
import type { RuleStudySettings } from '../study/study-rule.ts';
import type { CellSubjects, CellPorts } from './studied-definition.ts';
import type { CostFindings, CostsCell } from './study-cell.ts';
import { candidateOf, plannedField, shownField, writePlanOf } from './write-plan.ts';

/**
 * Determines how the cost of a rule grows with the sizes of fields. Also searches for the create or update request for which the evaluation
 * of the rule costs most.
 */
export function findCosts(cell: CostsCell, subjects: CellSubjects, { now, token }: CellPorts): CostFindings {
  const { rule: key, ms, seed, objects, hints, start, suggested = [] } = cell;
  const found = subjects.head('adaptive').find(key);
  if (found === undefined) return { growsWith: [], notStudied: 'the version is not served', isPartial: false };
  const seeds = objects.flatMap((slice): JsonObject[] => {
    const reading = readSlice(slice);
    return reading.ok && isJsonObject(reading.value) && isOfKind(reading.value, found.rule) ? [reading.value] : [];
  });
  const random = seededRandom(seed);
  const begin = { seeds, hints: hints.map(candidateOf), ...(start && { start: candidateOf(start) }) };
  const bounds = suggested.map((bound) => ({ ...bound, field: plannedField(bound.field) }));
  const begun = now();
  const study = (more: Partial<RuleStudySettings>): RuleStudy =>
    studyRule(found.rule, found.among, { ms, now, random, token, suggested: bounds, ...begin, ...more });
  if (seeds.length === 0 || start !== undefined) return costFindings(study({}));
  // The user's objects may lack the values that make a rule expensive. For example, equal names soon end a search for duplicates. So a
  // second search may follow, which begins without these objects.
  const own = study({ ms: SEEDED * ms });
  if (own.kind === 'studied' && !own.isReached && !own.isPartial) return costFindings(own);
  const free = study({ seeds: [], ms: Math.max(0, ms - (now() - begun)) });
  const [best, other] = isDearer(free, own) ? [free, own] : [own, free];
  const isReached = own.kind === 'studied' && own.isReached;
  const findings = costFindings({ ...withSmallerEnd(best, other), isPartial: own.isPartial || free.isPartial });
  return { ...findings, ...(isReached && { isReached }) };
}

/** Returns study `a`. If study `b` found a smaller size at which a limit ends a write, or if only `b` found one, the result has this size. */
function withSmallerEnd(a: RuleStudy, b: RuleStudy): RuleStudy {
  if (a.kind !== 'studied' || b.kind !== 'studied' || b.endsAt === undefined) return a;
  const { endsAt } = a;
  const isSmaller = endsAt === undefined || (isSameField(endsAt, b.endsAt) && b.endsAt.size < endsAt.size);
  return isSmaller ? { ...a, endsAt: b.endsAt } : a;
}

const isSameField = (a: LimitFound, b: LimitFound): boolean =>
  a.field === b.field && a.unit === b.unit && a.together.join(' ') === b.together.join(' ');

/**
 * Share of the time limit that is used for the search that starts from the user's objects. A second search without these objects uses the
 * rest.
 */
const SEEDED = 0.5;

/** Returns true if study `a` found a more expensive write than study `b`, or a write of equal cost with a steeper growth. */
const isDearer = (a: RuleStudy, b: RuleStudy): boolean => costOf(a) > costOf(b) || (costOf(a) === costOf(b) && steepest(a) > steepest(b));

const costOf = (study: RuleStudy): number => (study.kind === 'studied' ? (study.costliest?.cost ?? -1) : -2);

function steepest(study: RuleStudy): number {
  if (study.kind !== 'studied') return 0;
  const growths = [...study.growsWith, ...(study.growsTogether ? [study.growsTogether] : [])];
  return Math.max(0, ...growths.map(({ growth }) => (growth.kind === 'grows' ? growth.exponent : 0)));
}

const isOfKind = ({ kind, apiVersion }: JsonObject, { version }: LoneRule): boolean =>
  kind === version.kind && String(apiVersion).split('/')[0] === version.apiVersion.split('/')[0];

/** Converts the study of a rule to the findings of a {@link CostsCell}, which contain only plain data. */
function costFindings(study: RuleStudy): CostFindings {
  const { isPartial } = study;
  if (study.kind === 'notStudied') return { growsWith: [], notStudied: study.reason, isPartial };
  const { costliest, obstacle, endsAt, from, growsTogether, suggested } = study;
  return {
    growsWith: study.growsWith.flatMap(growing),
    ...(growsTogether && growingTogether(growsTogether)),
    ...(endsAt && { budgetEndsAt: budgetEnd(endsAt) }),
    ...(costliest && {
      worst: {
        cost: costliest.cost,
        evaluations: costliest.evaluations,
        bytes: costliest.bytes,
        end: costliest.end,
        plan: writePlanOf(costliest.candidate),
      },
    }),
    ...(obstacle !== undefined && { obstacle }),
    ...(suggested && {
      ...(suggested.bounds.length > 0 && { costAtSuggested: suggested.cost }),
      heldBounds: suggested.bounds.map((bound) => ({ ...bound, field: shownField(bound.field) })),
    }),
    ...(from && { from: writePlanOf(from) }),
    isPartial,
  };
}

function budgetEnd({ field, unit, together, size, limit, others, isAlone, candidate }: LimitFound): BudgetEnd {
  return {
    field: shownField(field),
    unit,
    ...(together.length > 0 && { together: together.map(shownField) }),
    size,
    limit,
    ...(others.length > 0 && { others: others.map((other) => ({ ...other, field: shownField(other.field) })) }),
    ...(isAlone && { alone: true }),
    plan: writePlanOf(candidate),
  };
}

function growingTogether({ fields, growth, wouldEndAt, points }: JointFieldGrowth): Pick<CostFindings, 'growsTogether'> {
  if (growth.kind !== 'grows') return {};
  const { exponent, near } = growth;
  return {
    growsTogether: {
      fields: fields.map(({ field, unit }) => ({ field: shownField(field), unit })),
      costExponent: exponent,
      ...(near !== undefined && { near }),
      ...(wouldEndAt !== undefined && { wouldEndAt }),
      points,
    },
  };
}

function growing({ field, unit, bound, growth, costAtBound, wouldEndAt, points }: FieldGrowth): CostFindings['growsWith'] {
  if (growth.kind !== 'grows') return [];
  const { exponent, near } = growth;
  return [
    {
      field: shownField(field),
      unit,
      ...(bound !== undefined && { bound }),
      costExponent: exponent,
      ...(near !== undefined && { near }),
      ...(costAtBound !== undefined && { costAtBound }),
      ...(wouldEndAt !== undefined && { wouldEndAt }),
      points,
    },
  ];
}
