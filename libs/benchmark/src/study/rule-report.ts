import type { RuleCost } from '#crd';
import type { CostPoint, GrowthName } from '../figures/cost-growth.ts';
import type { Choice } from '../values/choice.ts';
import type { StudiedRule } from './study-definition.ts';
import type { FieldGrowth, LimitFound } from './rule-study.ts';

/** The growth of a rule's exact cost with one size of one field, as programs read it. */
export interface GrowsWith {
  /** `spec.rules[].name`; `[]` means elements of a list, `{}` values of a map. */
  readonly field: string;
  readonly unit: FieldGrowth['unit'];
  /** The schema's bound, in that unit; absent if there is none. */
  readonly bound?: number;
  /** 1 for a cost that grows as the size, 2 for its square. */
  readonly costExponent: number;
  /** The growth that the cost has or is near; absent if none. */
  readonly near?: GrowthName;
  /** Cost units of one evaluation, by size. */
  readonly points: readonly CostPoint[];
}

/** The findings about one rule, as plain JSON. */
export interface RuleReport {
  readonly version: string;
  /** `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  readonly rule: string;
  /** The server's estimates for one evaluation and for a whole object, cost units as decimal text; absent if there are none. */
  readonly estimate?: { readonly call: string; readonly object: string };
  /** Fields with whose size the cost grows, the steepest first. */
  readonly growsWith: readonly GrowsWith[];
  /** The first length of the steepest field that a server refuses; absent if no write within 3 MiB and the schema's bounds is refused. */
  readonly budgetEndsAt?: LimitFound;
  /** The dearest write that was found; absent if none was accepted or ended by a limit. */
  readonly dearest?: {
    readonly cost: number;
    readonly evaluations: number;
    readonly bytes: number;
    readonly end: 'accepted' | 'call' | 'object';
    /** Decisions about its fields, and the old value of an update. */
    readonly plan: Readonly<Record<string, Choice>>;
    readonly old: string;
  };
  /** The first obstacle to the dearest value of the rule by itself; absent if there is none. */
  readonly obstacle?: string;
  /** The reason why the rule was not studied; absent if it was. */
  readonly notStudied?: string;
  /** True if the time was over before the study came to its end. */
  readonly isPartial: boolean;
}

/** Returns the report of a studied rule. */
export function reportOf({ rule, study }: StudiedRule, costs: readonly RuleCost[]): RuleReport {
  const version = rule.version.name;
  const estimated = costs.find((cost) => cost.version === version && cost.path === rule.path);
  const base = {
    version,
    path: rule.path,
    rule: rule.rule.source.rule,
    ...(estimated && { estimate: { call: String(estimated.maxCost), object: String(estimated.totalCost) } }),
    isPartial: study.isPartial,
  };
  if (study.kind === 'notStudied') return { ...base, growsWith: [], notStudied: study.reason };
  const { dearest, obstacle, endsAt } = study;
  return {
    ...base,
    growsWith: study.growsWith.flatMap(growing),
    ...(endsAt && { budgetEndsAt: { ...endsAt, field: shown(endsAt.field) } }),
    ...(dearest && {
      dearest: {
        cost: dearest.cost,
        evaluations: dearest.evaluations,
        bytes: dearest.bytes,
        end: dearest.end,
        plan: Object.fromEntries(dearest.candidate.plan.fields.map((field) => [shown(field), dearest.candidate.plan.at(field) ?? {}])),
        old: dearest.candidate.old,
      },
    }),
    ...(obstacle !== undefined && { obstacle }),
  };
}

function growing({ field, unit, bound, growth, points }: FieldGrowth): GrowsWith[] {
  if (growth.kind !== 'grows') return [];
  const { exponent, near } = growth;
  return [
    {
      field: shown(field),
      unit,
      ...(bound !== undefined && { bound }),
      costExponent: exponent,
      ...(near !== undefined && { near }),
      points,
    },
  ];
}

/** Returns a field as people name it; `(root)` for the object itself. */
const shown = (field: string): string => (field === '' ? '(root)' : field.replace(/^\./, ''));
