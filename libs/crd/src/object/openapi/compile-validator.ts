import { floatOf } from '#go';
import { reportedBecauseOf, stringFormat } from '#kube';
import type { JsonValue, ScalarList } from '#go';
import type { FieldError } from '#kube';
import type { Correlation } from '../correlate.ts';
import { SCHEMA_WORK } from '../../definition/work-done.ts';
import type { CheckedNode, ValidationStep } from '../../keywords/keyword.ts';
import { NUMBER_FORMATS } from '../../keywords/numbers.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { Polls } from '../write/polls.ts';
import type { Dialect, NodeCheck } from './check.ts';
import { EVERY_KIND, kindOf, KINDS } from './kind.ts';
import type { Kind } from './kind.ts';
import { findingField, SchemaWalk } from './schema-walk.ts';
import { checkIntegral, reportType, typeOutcome } from './type.ts';
import type { Expected, TypeOutcome } from './type.ts';

/** Validation steps of one schema node for values of one kind. */
interface KindPlan {
  readonly type: TypeOutcome | undefined;
  /**
   * Number of matches that upstream counts for this kind, without matches of children. The match of the type itself is added if the type
   * fits.
   */
  readonly matches: number;
  readonly steps: readonly ValidationStep[];
  /**
   * True if every value between two valid values is also valid. This holds if all steps only bound numbers or the lengths of strings, so
   * "between" refers to the number or the length.
   */
  readonly convex: boolean;
}

/** Compiled validation of an OpenAPI schema. */
export interface OpenApiValidator {
  /**
   * Returns the errors of a value in upstream's order, in which properties follow the order of the schema.
   *
   * @param base Prefix of all field paths (`status`), if there is one.
   * @param correlation Value together with its old value. Unchanged parts are not reported.
   */
  validate(value: JsonValue, options: ValidateOptions): FieldError[];
}

/**
 * Options of {@link OpenApiValidator.validate}. `base` is a prefix of all field paths. `correlation` pairs the value with its old value, so
 * that errors of unchanged parts can be left out.
 */
export interface ValidateOptions {
  readonly base?: string | undefined;
  readonly correlation?: Correlation | undefined;
  readonly polls: Polls;
}

/**
 * Compiles a schema into a tree of closures, one per node.
 * Source: kube-openapi pkg/validation/validate (d427ff9), apiextensions-apiserver pkg/apiserver/validation/validation.go (1.37).
 */
export function compileValidator(schema: SchemaProps, dialect: Dialect): OpenApiValidator {
  const check = compileNode(schema, dialect);
  return {
    validate(value, { base, correlation, polls }) {
      const walk = new SchemaWalk(polls, correlation);
      check(value, walk);
      return walk.findings.map((finding) => reportedBecauseOf(finding.toError(findingField(finding, base)), ...(finding.because ?? [])));
    },
  };
}

function typesOf(schema: SchemaProps, dialect: Dialect): readonly string[] {
  if (schema.intOrString && !dialect.forDefaults) return ['integer', 'string'];
  return schema.type === '' ? [] : [schema.type];
}

/**
 * Returns the format of a schema, or an empty string if validation does not know the format. Source: pkg/apiserver/validation/formats.go
 * `StripUnsupportedFormatsPostProcessorForVersion`.
 */
function keptFormat(schema: SchemaProps, types: readonly string[], dialect: Dialect): string {
  if (schema.format === '' || dialect.forDefaults) return schema.format;
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string' || !dialect.typedNumbers)
    return stringFormat(schema.format, dialect.formatMinor) === undefined ? '' : schema.format;
  return (type === 'integer' || type === 'number') && NUMBER_FORMATS[type].includes(schema.format) ? schema.format : '';
}

/**
 * Cache of compiled checks by dialect and schema object. A schema object is a sufficient key, because equal schemas of a definition are the
 * same object.
 */
const COMPILED = new WeakMap<Dialect, WeakMap<SchemaProps, NodeCheck>>();

/**
 * Returns the compiled check of a schema node and of all nodes below it. Each node is compiled only once per dialect (validation behaviour
 * of a Kubernetes minor version).
 */
export function compileNode(schema: SchemaProps, dialect: Dialect): NodeCheck {
  let checks = COMPILED.get(dialect);
  if (checks === undefined) COMPILED.set(dialect, (checks = new WeakMap()));
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = compileNewNode(schema, dialect)));
  return check;
}

/** Validation plan of a node for all kinds of values. */
interface NodePlan {
  readonly expected: Expected;
  readonly byKind: readonly KindPlan[];
}

function planNode(props: SchemaProps, dialect: Dialect): NodePlan {
  SCHEMA_WORK.validators++;
  const types = typesOf(props, dialect);
  const format = keptFormat(props, types, dialect);
  const node: CheckedNode = { props, types, format, dialect, compile: (schema) => compileNode(schema, dialect) };
  const validators = props.vocabulary.validators.map((validator) => ({
    appliesTo: validator.appliesTo,
    matches: validator.matches(node),
    steps: validator.steps(node),
  }));
  const planOf = (kind: Kind): KindPlan => {
    const type = typeOutcome(types, format, props.nullable, kind);
    const concerned = validators.filter(({ appliesTo }) => appliesTo.includes(kind));
    // The counts are those of Kubernetes: one for the node, and one for the validator of its type. Null is tested before Kubernetes counts.
    const own = type === undefined ? 1 : 2;
    const matches = kind === KINDS.null ? 0 : concerned.reduce((sum, validator) => sum + validator.matches, own);
    return { type, matches, steps: concerned.flatMap(({ steps }) => steps), convex: isConvex(props, kind, dialect) };
  };
  return { expected: { types, format, isIntegral: dialect.isIntegral }, byKind: EVERY_KIND.map(planOf) };
}

/**
 * Returns true if every value between two valid values of a kind is also valid. Integers are compared by value, strings by length. The
 * keywords that restrict this kind determine the result. Returns false for all other kinds.
 */
export function isConvex(props: SchemaProps, kind: Kind, dialect: Dialect): boolean {
  if (kind !== KINDS.int && kind !== KINDS.string) return false;
  return keywordsAbout(props, kind).every(({ fastPaths, field }) => fastPaths.between?.(kind, props[field], dialect) === true);
}

/**
 * Returns the check of a node. The check is planned when the first value of the node is validated, because most objects contain few of a
 * schema's fields.
 */
function compileNewNode(schema: SchemaProps, dialect: Dialect): NodeCheck {
  let planned: NodePlan | undefined;
  const check = (value: JsonValue, walk: SchemaWalk): void => {
    // An unchanged field of the root needs no validation, because its findings would be dropped.
    if (walk.path.length === 1 && walk.correlation?.plainlyUnchanged === true) return;
    const { byKind, expected } = (planned ??= planNode(schema, dialect));
    const plan = byKind[kindOf(value)] as KindPlan;
    const before = walk.findings.length;
    const { type, steps } = plan;
    walk.matches += plan.matches;
    if (type !== undefined) {
      if (type === 'fits' || (type === 'fitsIfIntegral' && checkIntegral(floatOf(value) as number, expected, walk))) walk.matches += 1;
      else if (typeof type === 'object') reportType(walk, type.expected, type.actual);
    }
    for (let i = 0; i < steps.length; i++) (steps[i] as ValidationStep)(value, walk);
    // On an update, an unchanged value may stay invalid.
    if (walk.findings.length > before && walk.correlation?.unchanged === true) walk.keepFirst(before);
  };
  const acceptsAll = (elements: ScalarList, count: number, walk: SchemaWalk): boolean => {
    const { byKind } = (planned ??= planNode(schema, dialect));
    const plan = byKind[elements.kind === 'ints' ? KINDS.int : KINDS.string] as KindPlan;
    if (!plan.convex) return false;
    const [least, greatest] =
      elements.kind === 'ints' ? [elements.min, elements.max] : ['a'.repeat(elements.minLength), 'a'.repeat(elements.maxLength)];
    const low = walk.isolate(() => check(least, walk));
    const high = walk.isolate(() => check(greatest, walk));
    if (low.findings.length > 0 || high.findings.length > 0) return false;
    walk.matches += count * low.matches;
    return true;
  };
  return Object.assign(check, { acceptsAll });
}
