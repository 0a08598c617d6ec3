import { floatOf, goQuote } from '#go';
import { reportedBecauseOf, stringFormat, typeInvalid } from '#kube';
import type { JsonValue, ScalarList } from '#go';
import type { FieldError, Change } from '#kube';
import type { Correlation } from '../correlate.ts';
import { SCHEMA_WORK } from '../../definition/work-done.ts';
import type { CheckedNode, ValidationStep } from '../../keywords/keyword.ts';
import { NUMBER_FORMATS } from '../../keywords/numbers.ts';
import { keywordsAbout } from '../../keywords/vocabulary.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { Polls } from '../write/polls.ts';
import type { ValidationBehaviour, NodeCheck } from './schema-walk.ts';
import { EVERY_KIND, kindOf, KINDS, JSON_TYPE_NAMES } from './kind.ts';
import type { Kind } from './kind.ts';
import { findingField, SchemaWalk } from './schema-walk.ts';
import { roundingOf } from './json-integer.ts';

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
export function compileValidator(schema: SchemaProps, behaviour: ValidationBehaviour): OpenApiValidator {
  const check = compileNode(schema, behaviour);
  return {
    validate(value, { base, correlation, polls }) {
      const walk = new SchemaWalk(polls, correlation);
      check(value, walk);
      return walk.findings.map((finding) => reportedBecauseOf(finding.toError(findingField(finding, base)), ...(finding.because ?? [])));
    },
  };
}

function typesOf(schema: SchemaProps, behaviour: ValidationBehaviour): readonly string[] {
  if (schema.intOrString && !behaviour.forDefaults) return ['integer', 'string'];
  return schema.type === '' ? [] : [schema.type];
}

/**
 * Returns the format of a schema, or an empty string if validation does not know the format. Source: pkg/apiserver/validation/formats.go
 * `StripUnsupportedFormatsPostProcessorForVersion`.
 */
function keptFormat(schema: SchemaProps, types: readonly string[], behaviour: ValidationBehaviour): string {
  if (schema.format === '' || behaviour.forDefaults) return schema.format;
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string' || !behaviour.typedNumbers)
    return stringFormat(schema.format, behaviour.formatMinor) === undefined ? '' : schema.format;
  return (type === 'integer' || type === 'number') && NUMBER_FORMATS[type].includes(schema.format) ? schema.format : '';
}

/**
 * Cache of compiled checks by validation behaviour and schema object. A schema object is a sufficient key, because equal schemas of a
 * definition are the same object.
 */
const COMPILED = new WeakMap<ValidationBehaviour, WeakMap<SchemaProps, NodeCheck>>();

/**
 * Returns the compiled check of a schema node and of all nodes below it. Each node is compiled only once for each behaviour.
 */
export function compileNode(schema: SchemaProps, behaviour: ValidationBehaviour): NodeCheck {
  let checks = COMPILED.get(behaviour);
  if (checks === undefined) COMPILED.set(behaviour, (checks = new WeakMap()));
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = compileNewNode(schema, behaviour)));
  return check;
}

/** Validation plan of a node for all kinds of values. */
interface NodePlan {
  readonly expected: Expected;
  readonly byKind: readonly KindPlan[];
}

function planNode(props: SchemaProps, behaviour: ValidationBehaviour): NodePlan {
  SCHEMA_WORK.validators++;
  const types = typesOf(props, behaviour);
  const format = keptFormat(props, types, behaviour);
  const node: CheckedNode = { props, types, format, behaviour, compile: (schema) => compileNode(schema, behaviour) };
  const validators = props.vocabulary.validators.map((validator) => ({
    appliesTo: validator.appliesTo,
    matches: validator.matches(node),
    steps: validator.steps(node),
  }));
  const planOf = (kind: Kind): KindPlan => {
    const type = typeOutcome(types, format, props.nullable, kind);
    const concerned = validators.filter(({ appliesTo }) => appliesTo.includes(kind));
    // Kubernetes counts one match for the node, and one for the validator of its type. For null, it ends before it counts.
    const own = type === undefined ? 1 : 2;
    const matches = kind === KINDS.null ? 0 : concerned.reduce((sum, validator) => sum + validator.matches, own);
    return { type, matches, steps: concerned.flatMap(({ steps }) => steps), convex: isConvex(props, kind, behaviour) };
  };
  return { expected: { types, format, isIntegral: behaviour.isIntegral }, byKind: EVERY_KIND.map(planOf) };
}

/**
 * Returns true if every value between two valid values of a kind is also valid. Integers are compared by value, strings by length. The
 * keywords that restrict this kind determine the result. Returns false for all other kinds.
 */
export function isConvex(props: SchemaProps, kind: Kind, behaviour: ValidationBehaviour): boolean {
  if (kind !== KINDS.int && kind !== KINDS.string) return false;
  return keywordsAbout(props, kind).every(({ fastPaths, field }) => fastPaths.between?.(kind, props[field], behaviour) === true);
}

/**
 * Returns the check of a node. The check is planned when the first value of the node is validated, because most objects contain few of a
 * schema's fields.
 */
function compileNewNode(schema: SchemaProps, behaviour: ValidationBehaviour): NodeCheck {
  let planned: NodePlan | undefined;
  const check = (value: JsonValue, walk: SchemaWalk): void => {
    // Ratcheting would drop all findings inside an unchanged field of the root, so the field needs no validation.
    if (walk.path.length === 1 && walk.correlation?.plainlyUnchanged === true) return;
    const { byKind, expected } = (planned ??= planNode(schema, behaviour));
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
    const { byKind } = (planned ??= planNode(schema, behaviour));
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

/**
 * Result of validating the keywords `type` and `format` for the kind of a value, such as integer or float. `fits`: the kind is allowed.
 * `fitsIfIntegral`: a float is allowed only if it is integral. Otherwise the result is the error, with the expected and the actual type.
 */
type TypeOutcome = 'fits' | 'fitsIfIntegral' | { readonly expected: string; readonly actual: string };

/** Names of number formats in Go, which the error about a format mismatch shows. */
const GO_FORMATS: Readonly<Partial<Record<Kind, string>>> = { [KINDS.int]: 'int64', [KINDS.float]: 'float64' };

/**
 * Validates `type` for a kind of value. If the format is a string format, arrays are also accepted. Returns undefined if the keyword does
 * not apply. Source: kube-openapi pkg/validation/validate/type.go.
 */
function typeOutcome(types: readonly string[], format: string, nullable: boolean, kind: Kind): TypeOutcome | undefined {
  if (kind === KINDS.null) {
    return types.length > 0 && !types.includes('null') && !nullable ? { expected: types.join(','), actual: 'null' } : 'fits';
  }
  if (types.length === 0 && format === '') return undefined;
  const actual = JSON_TYPE_NAMES[kind] as string;
  const numeric = types.includes('number') || types.includes('integer');
  const textual = kind === KINDS.string || kind === KINDS.array;
  if (!numeric && format !== '' && textual) return 'fits';
  if (types.includes(actual) || (kind === KINDS.int && types.includes('number'))) return 'fits';
  const mismatch =
    format !== '' && !textual && GO_FORMATS[kind] !== format
      ? { expected: format, actual: GO_FORMATS[kind] ?? '' }
      : { expected: types.join(','), actual };
  return kind === KINDS.float && types.includes('integer') ? 'fitsIfIntegral' : mismatch;
}

/**
 * Adds the error for a value of the wrong type. Like the server, the error shows the name of the actual type instead of the value. `because`
 * are the differences because of which some Kubernetes versions accept the type.
 */
function reportType(walk: SchemaWalk, expected: string, actual: string, because?: readonly Change[]): void {
  const name = walk.name;
  const text = `${name} in body must be of type ${expected}: ${goQuote(actual)}`;
  walk.add({ text, name, toError: (field) => typeInvalid(field, actual, text), because });
}

/** Types and format that a schema allows for a number. */
interface Expected extends Pick<ValidationBehaviour, 'isIntegral'> {
  readonly types: readonly string[];
  readonly format: string;
}

/** Validates a float against `type: integer`. Returns false if the float is neither integral nor nearly integral. */
function checkIntegral(float: number, expected: Expected, walk: SchemaWalk): boolean {
  const { types, format } = expected;
  if (expected.isIntegral(float)) return true;
  if (format !== '') reportType(walk, format, 'float64', roundingOf(float));
  else reportType(walk, types.join(','), 'number', roundingOf(float));
  return false;
}
