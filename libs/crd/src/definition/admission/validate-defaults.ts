import { deepEqualJson, copyJson } from '#go';
import {
  aggregateText,
  childPath,
  invalid,
  keyPath,
  metaWording,
  OBJECT_BUDGET,
  pathText,
  PER_CALL_LIMIT,
  reportedBecauseOf,
  wordedBecauseOf,
} from '#kube';
import { wordedErrors } from '../../wording/error-wording.ts';
import type { JsonValue } from '#go';
import type { FieldError, FieldPath } from '#kube';
import type { ValidationBehaviour } from '../../object/openapi/schema-walk.ts';
import { compileValidator } from '../../object/openapi/compile-validator.ts';
import { compileRules } from '../../rules/compile-rules.ts';
import type { SharedRules } from '../../rules/compile-rules.ts';
import { evaluateRules } from '../../rules/evaluate-rules.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { holdsRules } from '../../schema/schema-props.ts';
import { defaultsBehaviourOf, showsScalars } from '../../minors/validation-behaviour.ts';
import { hasDefaults, hasEmbedded, asResourceRoot } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import { coerceEmbedded } from '../../object/write/coerce-object.ts';
import { validateEmbedded } from '../../object/write/embedded.ts';
import { Polls } from '../../object/write/polls.ts';
import { prune } from '../../object/write/prune.ts';
import type { AdmissionOptions } from './options.ts';
import { surroundItem, surroundProperty, surroundRoot, withTypeMeta } from './prune-defaults.ts';
import type { Surround } from './prune-defaults.ts';

/** Errors of the defaults in a schema, or the reason why the defaults cannot be validated. */
export type DefaultsResult = { readonly ok: true; readonly errors: FieldError[] } | { readonly ok: false; readonly error: string };

/** Exception that ends the traversal of the schema early. It is caught in `validateDefaults`. */
class Uncheckable extends Error {}

const ROOT_SURROUND = withTypeMeta(surroundRoot);

/**
 * Validates the defaults of a schema. Every default must have no unknown fields, fit its schema, and be accepted by its rules. All defaults
 * share one cost budget. Defaults below additionalProperties are not validated. Source: apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/validation.go (1.37).
 */
export function validateDefaults(path: FieldPath, schema: SchemaProps, structural: Structural, options: AdmissionOptions): DefaultsResult {
  const root = asResourceRoot(structural);
  const check = new DefaultsCheck(options);
  try {
    check.node({ path, schema, structural: root, root, surround: ROOT_SURROUND, insideMetadata: false });
  } catch (error) {
    if (error instanceof Uncheckable) return { ok: false, error: error.message };
    throw error;
  }
  return { ok: true, errors: check.errors };
}

/** Returns an error whose text contains other errors, with the differences that decide about them. */
function summary(error: FieldError, parts: readonly FieldError[]): FieldError {
  const isDecided = parts.every(({ because }) => because !== undefined);
  const because = parts.flatMap((part) => part.because ?? []);
  const worded = wordedBecauseOf(error, ...parts.flatMap(({ wordedBy }) => wordedBy ?? []));
  return isDecided ? reportedBecauseOf(worded, ...because) : wordedBecauseOf(worded, ...because);
}

interface Place {
  readonly path: FieldPath;
  readonly schema: SchemaProps;
  readonly structural: Structural;
  /** Schema of the nearest enclosing resource, whose metadata rules apply. */
  readonly root: Structural;
  readonly surround: Surround;
  readonly insideMetadata: boolean;
}

/**
 * Schemas in which all defaults are valid, by the validation behaviour of the server. `pruned` applies if defaults must not contain unknown
 * fields, and `asTheyAre` applies if they may.
 */
const soundTrees = {
  pruned: new WeakMap<ValidationBehaviour, WeakSet<Structural>>(),
  asTheyAre: new WeakMap<ValidationBehaviour, WeakSet<Structural>>(),
} as const;

function soundUnder(behaviour: ValidationBehaviour, { requirePrunedDefaults }: AdmissionOptions): WeakSet<Structural> {
  const byBehaviour = requirePrunedDefaults ? soundTrees.pruned : soundTrees.asTheyAre;
  let sound = byBehaviour.get(behaviour);
  if (sound === undefined) byBehaviour.set(behaviour, (sound = new WeakSet()));
  return sound;
}

class DefaultsCheck {
  readonly errors: FieldError[] = [];
  readonly #compiledRules: SharedRules = new WeakMap();
  #budget = OBJECT_BUDGET;
  readonly #options: AdmissionOptions;
  readonly #behaviour: ValidationBehaviour;
  readonly #sound: WeakSet<Structural>;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#behaviour = defaultsBehaviourOf(options.minor);
    this.#sound = soundUnder(this.#behaviour, options);
  }

  /**
   * Validates the defaults of a node and of its descendants. A schema that occurs at several paths is validated only once if its path has
   * no influence on the result.
   */
  node(place: Place): void {
    const { structural, schema, insideMetadata } = place;
    if (!hasDefaults(structural) || this.#sound.has(structural)) return;
    const before = this.errors.length;
    this.#newNode(place);
    const isOfAnyPlace = !insideMetadata && !hasEmbedded(structural) && !holdsRules(schema);
    if (isOfAnyPlace && this.errors.length === before) this.#sound.add(structural);
  }

  #newNode(given: Place): void {
    const place = given.structural.embeddedResource
      ? { ...given, insideMetadata: false, surround: ROOT_SURROUND, root: given.structural }
      : given;
    const { path, schema, structural, surround, insideMetadata } = place;
    if (structural.default !== undefined) this.#default(place, structural.default);
    if (this.#budget < 0) return;
    if (structural.items !== undefined && schema.items?.schema !== undefined) {
      const at = childPath(path, 'items');
      this.node({ ...place, path: at, schema: schema.items.schema, structural: structural.items, surround: surroundItem(surround) });
      if (this.#budget < 0) return;
    }
    for (const [key, property] of structural.properties ?? []) {
      const isMeta = structural.embeddedResource && (key === 'metadata' || key === 'apiVersion' || key === 'kind');
      this.node({
        ...place,
        path: keyPath(childPath(path, 'properties'), key),
        schema: schema.properties?.get(key) as SchemaProps,
        structural: property,
        surround: surroundProperty(surround, key),
        insideMetadata: insideMetadata || isMeta,
      });
      if (this.#budget < 0) return;
    }
  }

  #default(place: Place, value: JsonValue): void {
    const path = childPath(place.path, 'default');
    const found = place.insideMetadata ? this.#metadata(place, path, value) : this.#ordinary(place, path, value);
    this.errors.push(...(found ?? this.#values(place, path, value)));
  }

  /**
   * Validates a default inside metadata. The resource that contains the default must have valid metadata. Returns undefined if the metadata
   * is valid.
   */
  #metadata(place: Place, path: FieldPath, value: JsonValue): FieldError[] | undefined {
    const surrounding = place.surround(copyJson(value));
    if (!surrounding.ok) throw new Uncheckable(`failed to validate default value inside metadata: ${surrounding.error}`);
    const root = asResourceRoot(place.root);
    const coerced = coerceEmbedded(undefined, surrounding.object, root, 'reject');
    const { minor } = this.#options;
    const errors = coerced.ok ? validateEmbedded(undefined, surrounding.object, root, metaWording(minor)) : [coerced.error];
    if (errors.length === 0) return undefined;
    const worded = wordedErrors(errors, minor);
    return [summary(invalid(path, value, `must result in valid metadata: ${aggregateText(worded) ?? ''}`), worded)];
  }

  /**
   * Validates a default outside metadata: pruning must not change it, and its embedded resources must be valid. Returns undefined if it is
   * valid.
   *
   * As in upstream, metadata in the default is coerced in place. The coerced default is shown in errors and is stored.
   */
  #ordinary(place: Place, path: FieldPath, value: JsonValue): FieldError[] | undefined {
    const { structural } = place;
    if (this.#options.requirePrunedDefaults) {
      const pruned = copyJson(value);
      prune(pruned, structural);
      if (!deepEqualJson(pruned, value)) this.errors.push(invalid(path, value, 'must not have unknown fields'));
    }
    const result = coerceEmbedded(path, value, structural, 'reject');
    if (!result.ok) return [result.error];
    const errors = validateEmbedded(path, value, structural, metaWording(this.#options.minor));
    return errors.length === 0 ? undefined : errors;
  }

  /**
   * Validates a default against its schema and its rules. The rules are evaluated with the default itself as the old value. If ratcheting
   * is enabled, they are also evaluated without an old value, because rules may treat a missing old value differently.
   */
  #values(place: Place, path: FieldPath, value: JsonValue): FieldError[] {
    const { schema, structural } = place;
    const { minor } = this.#options;
    const polls = new Polls(undefined);
    const base = pathText(path);
    const errors = compileValidator(schema, this.#behaviour).validate(value, { base, polls });
    if (errors.length > 0) return errors;
    const role = structural === place.root ? 'resource' : 'value';
    const rules = compileRules(structural, role, minor, this.#options.engine, this.#compiledRules);
    if (rules === undefined) return [];
    const evaluate = (old: JsonValue | undefined) =>
      evaluateRules(rules, value, old, {
        path,
        costLimit: PER_CALL_LIMIT,
        budget: this.#budget,
        token: undefined,
        correlation: undefined,
        explain: false,
        observer: undefined,
        showsScalars: showsScalars(minor),
        warn: () => undefined,
      });
    const first = evaluate(value);
    if (first.errors.length > 0) {
      this.#budget = first.remaining;
      return first.errors;
    }
    if (!this.#options.gates.CRDValidationRatcheting) {
      this.#budget = first.remaining;
      return [];
    }
    const second = evaluate(undefined);
    this.#budget = Math.min(first.remaining, second.remaining);
    return second.errors;
  }
}
