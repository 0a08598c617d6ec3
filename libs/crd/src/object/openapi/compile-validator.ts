import { Float, floatOf } from '#go';
import { stringFormat } from '#kube';
import type { JsonObject, JsonValue, ScalarList } from '#go';
import type { FieldError, FormatCheck } from '#kube';
import type { Correlation } from '../correlate.ts';
import { SCHEMA_WORK } from '../../definition/work-done.ts';
import { saysOnly, silentAnd } from '../../schema/says-only.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { Polls } from '../write/polls.ts';
import { checkAdditional, forbidAdditional } from './additional-properties.ts';
import { checkAllOf } from './all-of.ts';
import { checkAnyOf } from './any-of.ts';
import { checkBound } from './bounds.ts';
import type { NumericBound } from './bounds.ts';
import type { Dialect, NodeCheck } from './check.ts';
import { enumCheck } from './enum.ts';
import { checkFormat } from './format.ts';
import { checkItems } from './items.ts';
import { KIND_COUNT, kindOf, KINDS } from './kind.ts';
import type { Kind } from './kind.ts';
import { checkMaxItems, checkMinItems } from './list-size.ts';
import { maximum } from './maximum.ts';
import { minimum } from './minimum.ts';
import { checkMultipleOf } from './multiple-of.ts';
import { checkNot } from './not.ts';
import { checkRange } from './number-range.ts';
import type { NumberType } from './number-range.ts';
import { checkMaxProperties, checkMinProperties } from './object-size.ts';
import { checkOneOf } from './one-of.ts';
import { patternCheck } from './pattern.ts';
import { checkProperties } from './properties.ts';
import type { PropertyCheck } from './properties.ts';
import { checkRequired } from './required.ts';
import { findingField, SchemaWalk } from './schema-walk.ts';
import { checkMaxLength, checkMinLength } from './string-length.ts';
import { checkIntegral, reportType, typeOutcome } from './type.ts';
import type { Expected, TypeOutcome } from './type.ts';
import { checkUniqueItems } from './unique-items.ts';

/** A step of one node's validation for one kind of value, its keyword's options bound. */
type Step = (value: JsonValue, walk: SchemaWalk) => void;

/** What one node does with values of one kind. */
interface KindPlan {
  readonly type: TypeOutcome | undefined;
  /** Matches that upstream counts for this kind apart from those of children; the type's own is added when it fits. */
  readonly matches: number;
  readonly steps: readonly Step[];
  /** Between two values that have no findings no value of the kind has any: the steps only bound numbers, or the lengths of strings. */
  readonly convex: boolean;
}

/** A compiled OpenAPI schema. */
export interface OpenApiValidator {
  /**
   * Errors of a value, in upstream's order (properties in the schema's).
   *
   * @param base path before every field (`status`), if any
   * @param correlation the value beside its old value: what is unchanged is not complained about
   */
  validate(value: JsonValue, options: ValidateOptions): FieldError[];
}

/** See {@link OpenApiValidator.validate}. */
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
      return walk.findings.map((finding) => finding.toError(findingField(finding, base)));
    },
  };
}

function typesOf(schema: SchemaProps, dialect: Dialect): readonly string[] {
  if (schema.intOrString && !dialect.forDefaults) return ['integer', 'string'];
  return schema.type === '' ? [] : [schema.type];
}

const INTEGER_FORMATS: readonly string[] = ['int32', 'int64'];
const NUMBER_FORMATS: readonly string[] = ['float', 'double'];

/** The format as far as validation knows it. Source: pkg/apiserver/validation/formats.go `StripUnsupportedFormatsPostProcessorForVersion`. */
function keptFormat(schema: SchemaProps, types: readonly string[], dialect: Dialect): string {
  if (schema.format === '' || dialect.forDefaults) return schema.format;
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string' || !dialect.typedNumbers)
    return stringFormat(schema.format, dialect.formatMinor) === undefined ? '' : schema.format;
  if (type === 'integer') return INTEGER_FORMATS.includes(schema.format) ? schema.format : '';
  if (type === 'number') return NUMBER_FORMATS.includes(schema.format) ? schema.format : '';
  return '';
}

/** Checks that were compiled before: equal schemas of a definition are one object. */
const COMPILED = new WeakMap<Dialect, WeakMap<SchemaProps, NodeCheck>>();

/** Compiles a node with all below it, once for each dialect. */
export function compileNode(schema: SchemaProps, dialect: Dialect): NodeCheck {
  let checks = COMPILED.get(dialect);
  if (checks === undefined) COMPILED.set(dialect, (checks = new WeakMap()));
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = compileNewNode(schema, dialect)));
  return check;
}

/** What a node does with values, by their kind. */
interface NodePlan {
  readonly expected: Expected;
  readonly byKind: readonly KindPlan[];
}

function planNode(schema: SchemaProps, dialect: Dialect): NodePlan {
  SCHEMA_WORK.validators++;
  const types = typesOf(schema, dialect);
  const format = keptFormat(schema, types, dialect);
  const builder = new PlanBuilder(schema, types, format, dialect);
  return {
    expected: { types, format, isIntegral: dialect.isIntegral },
    byKind: Array.from({ length: KIND_COUNT }, (_, kind) => builder.plan(kind as Kind)),
  };
}

/** A node is planned when a value first stands there: most objects have few of the fields that a schema has. */
function compileNewNode(schema: SchemaProps, dialect: Dialect): NodeCheck {
  let planned: NodePlan | undefined;
  const check = (value: JsonValue, walk: SchemaWalk): void => {
    // A field of the root that is as it was needs no validation: its findings would be dropped.
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
    for (let i = 0; i < steps.length; i++) (steps[i] as Step)(value, walk);
    // What an update left unchanged may stay invalid.
    if (walk.findings.length > before && walk.correlation?.unchanged === true) walk.keepFirst(before);
  };
  const acceptsAll = (elements: ScalarList, count: number, walk: SchemaWalk): boolean => {
    const { byKind } = (planned ??= planNode(schema, dialect));
    const plan = byKind[elements.kind === 'ints' ? KINDS.int : KINDS.string] as KindPlan;
    if (!plan.convex) return false;
    const [least, greatest] =
      elements.kind === 'ints' ? [elements.min, elements.max] : ['a'.repeat(elements.minLength), 'a'.repeat(elements.maxLength)];
    const low = walk.aside(() => check(least, walk));
    const high = walk.aside(() => check(greatest, walk));
    if (low.findings.length > 0 || high.findings.length > 0) return false;
    walk.matches += count * low.matches;
    return true;
  };
  return Object.assign(check, { acceptsAll });
}

/** Keywords that hold for all texts, or numbers, between two for which they hold. */
const TEXT_BOUNDS = silentAnd('format', 'minLength', 'maxLength');
const NUMBER_BOUNDS = silentAnd('format', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum');

/** Collects the steps of a node kind by kind, in upstream's order of validators. */
class PlanBuilder {
  private readonly schema: SchemaProps;
  private readonly types: readonly string[];
  private readonly format: string;
  private readonly dialect: Dialect;
  private readonly formatCheck: FormatCheck | undefined;
  private readonly composition: readonly Step[];
  private readonly enumStep: Step | undefined;
  private readonly stringSteps: readonly Step[];
  private readonly numberSteps: readonly Step[];
  private readonly arraySteps: readonly Step[];
  private readonly objectSteps: readonly Step[];

  constructor(schema: SchemaProps, types: readonly string[], format: string, dialect: Dialect) {
    this.schema = schema;
    this.types = types;
    this.format = format;
    this.dialect = dialect;
    this.formatCheck = format === '' ? undefined : stringFormat(format, dialect.formatMinor);
    this.composition = this.compositionSteps();
    this.enumStep = schema.enum === undefined || schema.enum.length === 0 ? undefined : enumCheck(schema.enum);
    this.stringSteps = this.buildStringSteps();
    this.numberSteps = this.buildNumberSteps();
    this.arraySteps = this.buildArraySteps();
    this.objectSteps = this.buildObjectSteps();
  }

  plan(kind: Kind): KindPlan {
    const type = typeOutcome(this.types, this.format, this.schema.nullable, kind);
    const enums = this.enumStep === undefined ? [] : [this.enumStep];
    if (kind === KINDS.null) return { type, matches: 0, steps: enums, convex: false };
    // One for the node, one for each validator that applies, and those that validators count themselves.
    const always = 1 + (type === undefined ? 0 : 1) + 2 + 1;
    switch (kind) {
      case KINDS.string:
        return {
          type,
          matches: always + 1 + (this.formatCheck === undefined ? 0 : 1),
          steps: [...this.composition, ...this.stringSteps, ...enums],
          convex: this.formatCheck === undefined && saysOnly(this.schema, TEXT_BOUNDS),
        };
      case KINDS.int:
      case KINDS.float:
        return {
          type,
          matches: always + 2,
          steps: [...this.composition, ...this.numberSteps, ...enums],
          convex: saysOnly(this.schema, NUMBER_BOUNDS),
        };
      case KINDS.array:
        return { type, matches: always + 2, steps: [...this.composition, ...this.arraySteps, ...enums], convex: false };
      case KINDS.object:
        return { type, matches: always + 1, steps: [...this.composition, ...enums, ...this.objectSteps], convex: false };
      default:
        return { type, matches: always, steps: [...this.composition, ...enums], convex: false };
    }
  }

  private node(schema: SchemaProps): NodeCheck {
    return compileNode(schema, this.dialect);
  }

  private compositionSteps(): Step[] {
    const { anyOf, oneOf, allOf, not } = this.schema;
    const steps: Step[] = [];
    if (anyOf.length > 0) {
      const branches = anyOf.map((branch) => this.node(branch));
      steps.push((value, walk) => checkAnyOf(value, branches, walk));
    }
    if (oneOf.length > 0) {
      const branches = oneOf.map((branch) => this.node(branch));
      steps.push((value, walk) => checkOneOf(value, branches, walk));
    }
    if (allOf.length > 0) {
      const branches = allOf.map((branch) => this.node(branch));
      steps.push((value, walk) => checkAllOf(value, branches, walk));
    }
    if (not !== undefined) {
      const branch = this.node(not);
      steps.push((value, walk) => checkNot(value, branch, walk));
    }
    return steps;
  }

  /** maxLength, minLength and pattern stop at the first that is violated; format is apart. */
  private buildStringSteps(): Step[] {
    const { maxLength, minLength, pattern } = this.schema;
    const steps: Step[] = [];
    const matches = pattern === '' ? undefined : patternCheck(pattern);
    if (maxLength !== undefined || minLength !== undefined || matches !== undefined) {
      const words = this.dialect.tooLong;
      steps.push((value, walk) => {
        const text = value as string;
        if (maxLength !== undefined && !checkMaxLength(text, maxLength, words, walk)) return;
        if (minLength !== undefined && !checkMinLength(text, minLength, walk)) return;
        matches?.(text, walk);
      });
    }
    const { format, formatCheck } = this;
    if (formatCheck !== undefined) steps.push((value, walk) => checkFormat(value as string, format, formatCheck, walk));
    return steps;
  }

  private numberType(): NumberType {
    const only = this.types.length === 1 ? this.types[0] : '';
    if (!this.dialect.typedNumbers || (only !== 'integer' && only !== 'number')) return { type: '', format: '' };
    const formats = only === 'integer' ? INTEGER_FORMATS : NUMBER_FORMATS;
    return { type: only, format: formats.includes(this.format) ? this.format : '' };
  }

  private buildNumberSteps(): Step[] {
    const { schema } = this;
    const type = this.numberType();
    const steps: Step[] = [];
    if (type.type !== '') {
      steps.push((value, walk) => {
        checkRange(numberOf(value), type, 'Checked', walk);
      });
    }
    const factor = schema.multipleOf;
    const { isIntegral } = this.dialect;
    if (factor !== undefined) steps.push((value, walk) => checkMultipleOf(value, numberOf(value), { factor, type, isIntegral }, walk));
    const bound = (limits: NumericBound): Step => {
      return (value, walk) => checkBound(value, numberOf(value), limits, type, walk);
    };
    if (schema.minimum !== undefined) steps.push(bound(minimum(schema.minimum, schema.exclusiveMinimum)));
    if (schema.maximum !== undefined) steps.push(bound(maximum(schema.maximum, schema.exclusiveMaximum)));
    return steps;
  }

  private buildArraySteps(): Step[] {
    const { items, minItems, maxItems, uniqueItems } = this.schema;
    const steps: Step[] = [];
    if (items?.schema !== undefined) {
      const check = this.node(items.schema);
      steps.push((value, walk) => checkItems(value as JsonValue[], check, walk));
    }
    if (minItems !== undefined) steps.push((value, walk) => checkMinItems((value as JsonValue[]).length, minItems, walk));
    const words = this.dialect.tooMany;
    if (maxItems !== undefined) steps.push((value, walk) => checkMaxItems((value as JsonValue[]).length, maxItems, words, walk));
    if (uniqueItems) steps.push((value, walk) => checkUniqueItems(value as JsonValue[], walk));
    return steps;
  }

  private buildObjectSteps(): Step[] {
    const { schema } = this;
    const { minProperties, maxProperties, additionalProperties, required } = schema;
    const declared = new Set(schema.properties?.keys() ?? []);
    const steps: Step[] = [];
    const size = (value: JsonValue): number => Object.keys(value as JsonObject).length;
    if (minProperties !== undefined) steps.push((value, walk) => checkMinProperties(size(value), minProperties, walk));
    const words = this.dialect.tooMany;
    if (maxProperties !== undefined) steps.push((value, walk) => checkMaxProperties(size(value), maxProperties, words, walk));
    if (additionalProperties !== undefined && !additionalProperties.allows) {
      steps.push((value, walk) => forbidAdditional(value as JsonObject, declared, walk));
    } else if (additionalProperties?.schema !== undefined) {
      const check = this.node(additionalProperties.schema);
      steps.push((value, walk) => checkAdditional(value as JsonObject, declared, check, walk));
    }
    const properties: PropertyCheck[] = [];
    for (const [key, property] of schema.properties ?? []) properties.push({ key, check: this.node(property) });
    if (properties.length > 0) {
      steps.push((value, walk) => checkProperties(value as JsonObject, properties, walk));
    }
    if (required.length > 0) steps.push((value, walk) => checkRequired(value as JsonObject, required, walk));
    return steps;
  }
}

function numberOf(value: JsonValue): number | bigint {
  return value instanceof Float ? value.value : (value as number | bigint);
}
