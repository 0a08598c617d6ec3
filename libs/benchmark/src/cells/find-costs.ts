import { readSlice } from '#evaluation';
import type { LoneRule } from '#crd';
import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { seededRandom } from '../figures/seeded-random.ts';
import type { FieldGrowth, RuleStudy } from '../study/rule-study.ts';
import { studyRule } from '../study/study-rule.ts';
import type { CellSubjects, CellPorts } from './cell-ports.ts';
import type { CostFindings, CostsCell } from './study-cell.ts';
import { candidateOf, shownField, writePlanOf } from './write-plan.ts';

/** Finds the growth of a rule's cost, and its dearest write. */
export function findCosts(cell: CostsCell, subjects: CellSubjects, { now, token }: CellPorts): CostFindings {
  const { rule: key, ms, seed, objects, hints, start } = cell;
  const found = subjects.head('adaptive').find(key);
  if (found === undefined) return { growsWith: [], notStudied: 'the version is not served', isPartial: false };
  const seeds = objects.flatMap((slice): JsonObject[] => {
    const reading = readSlice(slice);
    return reading.ok && isJsonObject(reading.value) && isOfKind(reading.value, found.rule) ? [reading.value] : [];
  });
  const random = seededRandom(seed);
  const begin = { seeds, hints: hints.map(candidateOf), ...(start && { start: candidateOf(start) }) };
  return costFindings(studyRule(found.rule, found.among, { ms, now, random, token, ...begin }));
}

const isOfKind = ({ kind, apiVersion }: JsonObject, { version }: LoneRule): boolean =>
  kind === version.kind && String(apiVersion).split('/')[0] === version.apiVersion.split('/')[0];

/** Returns a study of a rule as plain data. */
export function costFindings(study: RuleStudy): CostFindings {
  const { isPartial } = study;
  if (study.kind === 'notStudied') return { growsWith: [], notStudied: study.reason, isPartial };
  const { dearest, obstacle, endsAt, from } = study;
  return {
    growsWith: study.growsWith.flatMap(growing),
    ...(endsAt && { budgetEndsAt: { ...endsAt, field: shownField(endsAt.field) } }),
    ...(dearest && {
      worst: {
        cost: dearest.cost,
        evaluations: dearest.evaluations,
        bytes: dearest.bytes,
        end: dearest.end,
        plan: writePlanOf(dearest.candidate),
      },
    }),
    ...(obstacle !== undefined && { obstacle }),
    ...(from && { from: writePlanOf(from) }),
    isPartial,
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
