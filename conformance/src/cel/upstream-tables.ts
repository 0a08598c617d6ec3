import { Float, isJsonObject } from '#go';
import { LATEST_MINOR } from '#kube';
import { compileExpression, declareType, environmentFor, typeText } from '#cel';
import { checkExpression } from '../../../libs/cel/src/language/check/checker.ts';
import { estimateCost } from '../../../libs/cel/src/prices/estimate.ts';
import { makeEnvironment } from '../../../libs/cel/src/language/environment.ts';
import { FUNCTIONS } from '../../../libs/cel/src/library/all.ts';
import { globalOverload, memberOverload } from '../../../libs/cel/src/library/overload.ts';
import { Issues } from '../../../libs/cel/src/language/syntax/issues.ts';
import { Source } from '../../../libs/cel/src/language/syntax/source.ts';
import { macroTable } from '../../../libs/cel/src/language/syntax/syntax.ts';
import { EXISTS_ONE_ALIAS, STANDARD_MACROS } from '../../../libs/cel/src/language/syntax/macros.ts';
import { parseExpression } from '../../../libs/cel/src/language/syntax/parser.ts';
import { formatType } from '../../../libs/cel/src/values/types/type.ts';
import type { CelType } from '../../../libs/cel/src/values/types/type.ts';
import { canonicalText } from '../canonical-text.ts';
import { expressionText, goKind } from './expression-text.ts';
import { readType } from './read-type.ts';
import { valueSchemaOf } from './value-schema.ts';
import type { JsonObject, JsonValue } from '#go';
import type { CheckedExpression, CompiledExpression, DeclaredType } from '#cel';
import type { FunctionDeclaration } from '../../../libs/cel/src/library/define.ts';
import type { ParseResult } from '../../../libs/cel/src/language/syntax/parser.ts';
import type { VerdictValue } from '../canonical-text.ts';
import type { UpstreamAnswer, UpstreamJudge } from '../upstream-answer.ts';

/**
 * Returns the answer for a line that is not compared. The comparisons in this file use internal parts of the library, because the recorded
 * tables contain calls of internal functions.
 */

const skip = (reason: string): UpstreamAnswer => ({ kind: 'skip', reason });

function compare(what: string, golden: VerdictValue, ours: VerdictValue, verdict = false): UpstreamAnswer {
  const texts = [canonicalText(golden), canonicalText(ours)] as const;
  return texts[0] === texts[1] ? { kind: 'agree' } : { kind: 'differ', verdict, what, golden: texts[0], ours: texts[1] };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
const textsOf = (value: JsonValue | undefined): Readonly<Record<string, string>> => (value ?? {}) as Readonly<Record<string, string>>;

/** Compares Assay's results with lines of `cel-parse`: expression trees with node numbers and positions, and syntax errors. */
const judgeParse: UpstreamJudge = (line) => {
  if (line['kind'] !== 'parse') return skip('unparsing and unescaping are not functions of ours');
  const options = line['options'] as JsonObject;
  if (options['variadicOperatorASTs'] === true || options['hiddenAccumulatorName'] !== true)
    return skip('Kubernetes does not set this option');
  if (/recursion|recovery attempt limit/.test(textOf(line['error']))) return skip('limits that Kubernetes does not set');
  const parsed = parseExpression(textOf(line['expression']), {
    macros: macroTable(options['macros'] === 0 ? [] : [...STANDARD_MACROS, EXISTS_ONE_ALIAS]),
    optionals: options['optionalSyntax'] === true,
    quotedIdentifiers: options['identEscapeSyntax'] === true,
  });
  return compare(parsed.ok ? 'tree' : 'syntax error', parseGolden(line), parseOurs(parsed), parsed.ok === (line['error'] === undefined));
};

function parseGolden(line: JsonObject): VerdictValue {
  if (line['error'] !== undefined) return { error: line['error'] };
  return { ast: withoutSpace(textOf(line['ast'])), locations: withoutSpace(textOf(line['locations'])) };
}

function parseOurs(parsed: ParseResult): VerdictValue {
  if (!parsed.ok) return { error: parsed.issues.toString() };
  const { root, offsets } = parsed.expression;
  const place = (id: number): string => {
    const { line, column } = new Source(parsed.expression.source).locate(offsets.get(id));
    return `${line},${column}`;
  };
  return {
    ast: withoutSpace(expressionText(root, (node) => `^#${node.id}:${goKind(node)}#`)),
    locations: withoutSpace(expressionText(root, (node) => `^#${node.id}[${place(node.id)}]#`)),
  };
}

/** Compares Assay's results with lines of `cel-check`: the types and overloads of every node, and type errors. */
const judgeCheck: UpstreamJudge = (line) => {
  const variables = textsOf(line['variables']);
  if (/google\.expr|Any|wrapper/.test(`${line['container']}${Object.values(variables).join()}${textOf(line['annotated'])}`))
    return skip('protobuf messages');
  if (line['container'] !== '' || line['disableStdEnv'] === true || line['variadicASTs'] === true)
    return skip('Kubernetes does not set this option');
  if (line['customCheckerOptions'] !== 0) return skip('options that the table does not name');
  if (line['optionalSyntax'] !== true && /\bdyn\b/.test(textOf(line['annotated'])) && /index_/.test(textOf(line['annotated']))) {
    return skip('an environment without optional values, whose indexing has fewer overloads');
  }
  const { issues, checked } = checkCase(line, variables);
  if (checked === undefined) return compare('type error', line['error'] ?? null, issues.toString(), line['error'] !== undefined);
  const adorned = withoutSpace(expressionText(checked.root, (node) => adornment(checked, node.id)));
  const ours = { annotated: adorned, outputType: typeText(checked.outputType) };
  return compare(
    'types',
    { annotated: withoutSpace(textOf(line['annotated'])), outputType: line['outputType'] },
    ours,
    line['error'] === undefined,
  );
};

function checkCase(
  line: JsonObject,
  variables: Readonly<Record<string, string>>,
): { readonly issues: Issues; readonly checked: CheckedExpression | undefined } {
  const environment = makeEnvironment([...FUNCTIONS, ...customFunctions(line['functions'])], LATEST_MINOR, 'stored');
  const parsed = parseExpression(textOf(line['expression']), { ...environment.syntax, optionals: line['optionalSyntax'] !== false });
  if (!parsed.ok) return { issues: parsed.issues, checked: undefined };
  const issues = new Issues(new Source(parsed.expression.source));
  const types = new Map(Object.entries(variables).map(([name, type]) => [name, readType(type)]));
  const checked = checkExpression(parsed.expression, environment.declarations(types), issues);
  return { issues, checked: issues.count === 0 ? checked : undefined };
}

function customFunctions(functions: JsonValue | undefined): FunctionDeclaration[] {
  return ((functions ?? []) as JsonObject[]).map((declared) => {
    const make = declared['member'] === true ? memberOverload : globalOverload;
    const parameters = (declared['args'] as string[]).map(readType);
    const overload = make(textOf(declared['overload']), parameters, readType(textOf(declared['result'])), { call: () => null });
    return { name: textOf(declared['name']), library: 'test', doc: '', examples: [], overloads: [overload] };
  });
}

/** Returns the type and reference of a node in the form in which the checker's tests print them. */
function adornment(checked: CheckedExpression, id: number): string {
  const type = checked.types.get(id);
  const reference = checked.references.get(id);
  if (type === undefined) return '';
  if (reference === undefined) return `~${formatType(type)}`;
  const names = reference.overloads.map(({ id: overload }) => overload).sort();
  return `~${formatType(type)}^${names.length > 0 ? names.join('|') : reference.name}`;
}

/** Compares Assay's results with lines of `cel-cost`: static costs of expressions. Hints in the line specify the sizes of values. */
export const judgeStaticCost: UpstreamJudge = (line) => {
  if (line['kind'] !== 'static') return skip('run-time costs without the optimiser, which rules never run without');
  const variables = textsOf(line['variables']);
  const { issues, checked } = checkCase(line, variables);
  if (checked === undefined)
    return /google\.expr/.test(issues.toString() + Object.values(variables).join())
      ? skip('protobuf messages')
      : compare('compiles', true, issues.toString());
  const hints = (line['sizeHints'] ?? {}) as Readonly<Record<string, number>>;
  const cost = estimateCost(checked, {
    sizeAt: (steps) => {
      const hint = hints[steps.join('.')];
      return hint === undefined ? undefined : { min: 0n, max: BigInt(hint) };
    },
    costs: environmentFor(LATEST_MINOR, 'stored').costs,
    presenceTestHasCost: line['presenceTestHasCost'] === true,
  });
  return compare('cost', [String(line['min']), String(line['max'])], [String(cost.min), String(cost.max)]);
};

/** Compares Assay's results with lines of `cel-compile`: the rules of one schema node, with their errors and static costs. */
const judgeCompile: UpstreamJudge = (line) => {
  if (/before.v1\.30/.test(textOf(line['test']))) return skip('an environment older than any minor of ours');
  const schema = valueSchemaOf(line['schema'] as JsonObject);
  const self = declareType(schema, line['isResourceRoot'] === true ? 'resource' : 'value', LATEST_MINOR);
  const rules = ((line['schema'] as JsonObject)['x-kubernetes-validations'] ?? []) as JsonObject[];
  const golden = (line['rules'] ?? []) as JsonObject[];
  if (self === undefined) return compare('node', line['error'] !== undefined, true);
  const ours = golden.map((want) => ruleVerdict(want, rules[Number(want['index'])]!, self));
  return compare('rules', golden.map(goldenRule), ours);
};

const RULE_FIELDS = ['compiled', 'error', 'usesOldSelf', 'maxCost', 'messageExpressionMaxCost', 'messageExpressionError'] as const;

function goldenRule(rule: JsonObject): VerdictValue {
  return Object.fromEntries(RULE_FIELDS.map((field) => [field, maskedText(rule[field])]));
}

/**
 * Returns a recorded value in a form that can be compared. Digits that depend on the clock are removed from type names, and numbers are
 * converted to text.
 */
function maskedText(value: JsonValue | undefined): VerdictValue {
  if (isJsonObject(value)) return maskedText(value['detail']);
  if (typeof value === 'string') return value.replace(/selfType\d*/g, 'selfType');
  if (value instanceof Float) return numberText(value.value);
  return typeof value === 'number' || typeof value === 'bigint' ? numberText(value) : value;
}

/** Returns a cost as text. The value is converted to a double first, because the tables contain costs beyond int64 as doubles. */
const numberText = (value: number | bigint): string => String(Number(value));

function ruleVerdict(want: JsonObject, rule: JsonObject, self: DeclaredType): VerdictValue {
  if (textOf(rule['rule']).trim() === '') return { compiled: false, usesOldSelf: false };
  const use = (field: string) => (want[field] === 'stored' ? 'stored' : 'new');
  const oldSelf = rule['optionalOldSelf'] === true ? 'optional' : 'plain';
  const compiled = compileExpression(textOf(rule['rule']), {
    self,
    oldSelf,
    environment: environmentFor(LATEST_MINOR, use('env')),
    expect: 'bool',
  });
  const text = textOf(rule['messageExpression']);
  const environment = environmentFor(LATEST_MINOR, use('messageExpressionEnv'));
  const message = compiled.ok && text !== '' ? compileExpression(text, { self, oldSelf, environment, expect: 'string' }) : undefined;
  return {
    compiled: compiled.ok,
    error: errorOf(compiled),
    usesOldSelf: compiled.usesOldSelf,
    maxCost: compiled.ok ? numberText(compiled.maxCost) : want['maxCost'] === undefined ? undefined : '0',
    messageExpressionMaxCost: message?.ok === true ? numberText(message.maxCost) : undefined,
    messageExpressionError: errorOf(message),
  };
}

const errorOf = (compiled: CompiledExpression | undefined): VerdictValue =>
  compiled === undefined || compiled.ok ? undefined : compiled.error.replace(/selfType\d*/g, 'selfType');

/** Compares Assay's results with lines of `cel-decltypes`: the CEL type declaration of a schema. */
const judgeDeclaredType: UpstreamJudge = (line) => {
  const declared = declareType(
    valueSchemaOf(line['schema'] as JsonObject),
    line['isResourceRoot'] === true ? 'resource' : 'value',
    LATEST_MINOR,
  );
  return compare('declared type', goldenDeclaration(line['declType'] ?? null), declared === undefined ? null : ourDeclaration(declared));
};

function goldenDeclaration(declaration: JsonValue): VerdictValue {
  if (declaration === null) return null;
  const { type, minSerializedSize, maxElements, fields, elem } = declaration as JsonObject;
  const members = Object.entries((fields ?? {}) as JsonObject).map(([name, field]) => [
    name,
    goldenDeclaration((field as JsonObject)['type']!),
  ]);
  return {
    type,
    minSerializedSize,
    maxElements,
    fields: Object.fromEntries(members) as VerdictValue,
    elem: elem && goldenDeclaration(elem),
  };
}

function ourDeclaration(declared: DeclaredType): VerdictValue {
  const { kind, minSerializedSize, maxElements } = declared;
  const type = kind === 'scalar' ? shortName(declared.type) : kind;
  const element = kind === 'list' ? declared.element : kind === 'map' ? declared.value : undefined;
  const fields = kind === 'object' ? [...declared.fields].map(([name, field]) => [name, ourDeclaration(field)]) : [];
  return {
    type,
    minSerializedSize,
    maxElements,
    fields: Object.fromEntries(fields) as VerdictValue,
    elem: element && ourDeclaration(element),
  };
}

const shortName = (type: CelType): string => typeText(type).replace('google.protobuf.', '').toLowerCase();

/** Functions that compare Assay's results with the records of the test suites of cel-go and the API server, by kind of record. */
export const CEL_JUDGES: Readonly<Record<string, UpstreamJudge>> = {
  'cel-parse': judgeParse,
  'cel-check': judgeCheck,
  'cel-cost': judgeStaticCost,
  'cel-compile': judgeCompile,
  'cel-decltypes': judgeDeclaredType,
};
