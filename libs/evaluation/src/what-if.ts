/**
 * The effects of a changed definition on one stored object.
 *
 * - `unaffected`: accepted as before.
 * - `brokenOnUpdate`: even an unchanged write is refused.
 * - `breaksOnNextChange`: an unchanged write passes. An edit is refused for a value beside it that is invalid now.
 * - `savedByRatcheting`: a create would be refused. A write that leaves the invalid value alone is accepted.
 * - `storedDifferently`: accepted, but pruned or defaulted to something else.
 * - `mended`: the old definition refuses it, and the new one accepts it.
 * - `invalidBefore`: the old definition refuses it for the same reasons as the new one.
 * - `notJudged`: it cannot be read, or is of another kind.
 */
export const EFFECTS = [
  'unaffected',
  'brokenOnUpdate',
  'breaksOnNextChange',
  'savedByRatcheting',
  'storedDifferently',
  'mended',
  'invalidBefore',
  'notJudged',
] as const;

/** One of {@link EFFECTS}. */
export type Effect = (typeof EFFECTS)[number];

/** One place where the stored object would differ; values as JSON text, undefined where there is none. */
export interface FieldChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A field and a complaint that refuse objects. */
export interface Cause {
  /** Field path without indexes and keys: `spec.rules[*].port`. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** The effect on one object. */
export interface ObjectEffect {
  readonly index: number;
  readonly name: string | undefined;
  readonly effect: Effect;
  /**
   * The server's answer under the new definition: to an unchanged write, to an edit (`breaksOnNextChange`), or to a create. For `mended`, the answer under
   * the old one. For `notJudged`, the reason.
   */
  readonly message?: string;
  /** The edit that is refused, of an object that breaks on the next change. */
  readonly nextChange?: FieldChange;
  readonly causes: readonly Cause[];
  /** The fields of the causes with their indexes: `spec.rules[2].port`. Left out where there are none. */
  readonly fields?: readonly string[];
  readonly changes: readonly FieldChange[];
  /** Fields that get a default now, and that no update may change from then on. Left out if there are none. */
  readonly frozen?: readonly string[];
  /** CEL cost units of an unchanged write, before and after. */
  readonly cost: { readonly before: number | undefined; readonly after: number | undefined };
}

/** Effects summed up. */
export interface Impact {
  readonly effects: Record<Effect, number>;
  /** Causes with the number of objects each one refuses (on create, at least), most damaging first when read by `worstCauses`. */
  readonly causes: Map<string, { readonly cause: Cause; objects: number; brokenOnUpdate: number; breaksOnNextChange: number }>;
  objects: number;
  costBefore: number;
  costAfter: number;
}

/** Returns the impact on no objects, to be added to. */
export function emptyImpact(): Impact {
  const effects = Object.fromEntries(EFFECTS.map((effect) => [effect, 0])) as Record<Effect, number>;
  return { effects, causes: new Map(), objects: 0, costBefore: 0, costAfter: 0 };
}

/** Causes told apart; messages may quote values, and there may be as many as objects. */
const MAX_CAUSES = 1000;
/** Stands for all further messages about a field. */
const OTHERS = '(other messages)';

/** Counts one object in. */
export function countEffect(impact: Impact, { effect, causes, cost }: ObjectEffect): void {
  impact.objects++;
  impact.effects[effect]++;
  impact.costBefore += Math.max(0, cost.before ?? 0);
  impact.costAfter += Math.max(0, cost.after ?? 0);
  const known = causes.map((one) => (impact.causes.size < MAX_CAUSES || impact.causes.has(keyOf(one)) ? one : { ...one, message: OTHERS }));
  for (const cause of new Map(known.map((one) => [keyOf(one), one])).values()) {
    const seen = impact.causes.get(keyOf(cause)) ?? { cause, objects: 0, brokenOnUpdate: 0, breaksOnNextChange: 0 };
    seen.objects++;
    if (effect === 'brokenOnUpdate' || effect === 'breaksOnNextChange') seen[effect]++;
    impact.causes.set(keyOf(cause), seen);
  }
}

/** The number of objects that one cause refuses: in all (on create, at least), even unchanged, and after an edit. */
export interface CauseCount {
  readonly cause: Cause;
  readonly objects: number;
  readonly brokenOnUpdate: number;
  readonly breaksOnNextChange: number;
}

/** Returns causes, the most damaging first: refusals of unchanged writes, then of the next edit, then of creates. */
export function worstCauses({ causes }: Impact): CauseCount[] {
  return [...causes.values()].sort(
    (a, b) => b.brokenOnUpdate - a.brokenOnUpdate || b.breaksOnNextChange - a.breaksOnNextChange || b.objects - a.objects,
  );
}

const keyOf = ({ field, reason, message }: Cause): string => JSON.stringify([field, reason, message]);
