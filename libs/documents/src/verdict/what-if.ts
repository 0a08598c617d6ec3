import type { VerdictCause } from '../answer-types.ts';

/** All values of {@link Effect}. */
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

/**
 * Effect of a changed definition on one stored object.
 *
 * - `unaffected`: every write that can follow is accepted as before.
 * - `brokenOnUpdate`: every write of one kind is rejected, even a write that changes nothing. `write` names the kind.
 * - `breaksOnNextChange`: a write that changes nothing is accepted, but a write that changes something is rejected. `write` names it.
 * - `savedByRatcheting`: a create would be rejected. A write that does not change the invalid value is accepted.
 * - `storedDifferently`: the object is accepted, but pruning or defaulting produces a different stored object.
 * - `mended`: the old definition rejects the object, and the new definition accepts it.
 * - `invalidBefore`: the old definition rejects the object for the same reasons as the new definition.
 * - `notJudged`: the object cannot be read, or is of another kind.
 */
export type Effect = (typeof EFFECTS)[number];

/**
 * Kinds of writes that can follow on a stored object.
 *
 * - `unchanged`: a write of exactly the stored content.
 * - `apply`: `kubectl apply` of the file, if the file contains something that is not stored.
 * - `update`: an edit of the object.
 * - `status`: a write of the subresource `status`.
 * - `scale`: a write of the subresource `scale`.
 * - `create`: a creation of the same object.
 */
export const FOLLOWING_WRITES = ['unchanged', 'apply', 'update', 'status', 'scale', 'create'] as const;

/** Phrases that name the refused write, by the effect and the kind of the write. */
const REFUSALS: Readonly<Record<string, string>> = {
  'brokenOnUpdate unchanged': 'even a write that changes nothing is refused',
  'brokenOnUpdate status': 'every write of the status is refused',
  'brokenOnUpdate scale': 'every write of the scale is refused',
  'breaksOnNextChange apply': 'applying the file is refused',
  'breaksOnNextChange update': 'an update is refused',
  'breaksOnNextChange status': 'a change of the status is refused',
  'breaksOnNextChange scale': 'a change of the scale is refused',
  'savedByRatcheting create': 'only a new object is refused',
  'savedByRatcheting status': 'only another invalid status is refused',
};

/** Returns the phrase that says which write is refused, such as `a change of the status is refused`; undefined if none is. */
export const refusedWrite = ({ effect, write }: Pick<ObjectEffect, 'effect' | 'write'>): string | undefined =>
  REFUSALS[`${effect} ${write ?? ''}`];

/**
 * One difference between the object as stored with the old definition and with the new definition. The values are JSON text, or undefined
 * if the field is absent.
 */
export interface FieldChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Reason why a server rejects objects under a changed definition: the field, the error reason and the error message. */
export interface Cause {
  /** Field path without indexes and keys: `spec.rules[*].port`. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** Effect of the changed definition on one object. */
export interface ObjectEffect {
  readonly index: number;
  readonly name: string | undefined;
  readonly effect: Effect;
  /**
   * Write that shows the effect, see {@link FOLLOWING_WRITES}. Usually, the new definition rejects it and the old definition accepted it. With
   * the effect `storedDifferently`, it may be an accepted `apply` that stores other values. Absent if no single write shows the effect.
   */
  readonly write?: (typeof FOLLOWING_WRITES)[number];
  /**
   * Server's response with the new definition to the rejected write. For `mended` it is the response with the old definition. For
   * `notJudged` it is the reason.
   */
  readonly message?: string;
  /** Edit that is rejected. Present only if the effect is `breaksOnNextChange`. */
  readonly nextChange?: FieldChange;
  readonly causes: readonly Cause[];
  /** Paths of the fields that the causes concern, with their indexes, such as `spec.rules[2].port`. Absent if there are none. */
  readonly fields?: readonly string[];
  readonly changes: readonly FieldChange[];
  /** Fields that get a default with the new definition and that no later update may change. Absent if there are none. */
  readonly frozen?: readonly string[];
  /** CEL cost of an unchanged write, before and after the change of the definition, in cost units. */
  readonly cost: { readonly before: number | undefined; readonly after: number | undefined };
  /** Differences between two Kubernetes versions that explain the effect. Absent if both states are of one version, or if none is known. */
  readonly becauseOf?: readonly VerdictCause[];
}

/** Totals of the effects that a changed definition has on many stored objects. {@link countEffect} adds the effect on one object. */
export interface Impact {
  readonly effects: Record<Effect, number>;
  /**
   * Causes, with the number of objects that each cause rejects. `objects` counts objects that are rejected at least on create.
   * `worstCauses` returns the most damaging causes first.
   */
  readonly causes: Map<string, { readonly cause: Cause; objects: number; brokenOnUpdate: number; breaksOnNextChange: number }>;
  objects: number;
  costBefore: number;
  costAfter: number;
}

/**
 * Returns an {@link Impact} (totals of the effects on many objects) in which all counts are zero. Callers then add the effect on each
 * object with {@link countEffect}.
 */
export function emptyImpact(): Impact {
  const effects = Object.fromEntries(EFFECTS.map((effect) => [effect, 0])) as Record<Effect, number>;
  return { effects, causes: new Map(), objects: 0, costBefore: 0, costAfter: 0 };
}

/** Maximum number of causes that are counted separately. Messages may quote values, so there could be as many causes as objects. */
const MAX_CAUSES = 1000;
/** Message that replaces every new message after {@link MAX_CAUSES} causes were counted. */
const OTHERS = '(other messages)';

/** Adds the effect on one object to `impact`. */
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

/**
 * Numbers of objects that one cause makes invalid after a change of their definition. For `brokenOnUpdate` objects, the server rejects even
 * an unchanged update. For `breaksOnNextChange` objects, it rejects an edit of another value. `objects` counts both, and also objects that
 * it would reject only on create.
 */
export interface CauseCount {
  readonly cause: Cause;
  readonly objects: number;
  readonly brokenOnUpdate: number;
  readonly breaksOnNextChange: number;
}

/**
 * Returns the causes for which objects are rejected, with the most damaging cause first. A rejected unchanged update counts more than a
 * rejected edit, and a rejected edit counts more than a rejected create.
 */
export function worstCauses({ causes }: Impact): CauseCount[] {
  return [...causes.values()].sort(
    (a, b) => b.brokenOnUpdate - a.brokenOnUpdate || b.breaksOnNextChange - a.breaksOnNextChange || b.objects - a.objects,
  );
}

const keyOf = ({ field, reason, message }: Cause): string => JSON.stringify([field, reason, message]);
