import { DYN, environmentFor } from '#cel';
import type { AnalyzedDefinition } from '#crd';
import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { declaredVariables, variablesOfPolicy } from '#policy';
import type { LanguageQuery } from '../open-texts/workspace.ts';
import { ruleVariables } from '../expressions/expression-scope.ts';
import type { ExpressionPlace } from '../expressions/expression-scope.ts';
import { ruleAt, schemaPlace } from './schema-place.ts';
import type { PlacedPart } from '../open-texts/text-document.ts';
import { writtenOffsets } from '../../texts/written-offsets.ts';
import type { KeyPath } from '../../texts/edit-entry.ts';

/** CEL expression in a document, with the offset of each of its characters. */
export interface WrittenExpression {
  readonly path: KeyPath;
  readonly text: string;
  /** Start and end offsets of the expression's scalar in the document, including quotes. */
  readonly start: number;
  readonly end: number;
  /** Offset in the document of each UTF-16 code unit of the expression, and of its end. */
  readonly offsets: Uint32Array;
  /** True if the expression is written on one line without quotes. A colon followed by a space would end such a scalar. */
  readonly isPlain: boolean;
}

/**
 * Keys that contain expressions in a rule of a definition. `POLICY_EXPRESSIONS` lists the keys that contain expressions in admission
 * policies.
 */
const RULE_EXPRESSIONS: ReadonlySet<string> = new Set(['rule', 'messageExpression']);
const POLICY_EXPRESSIONS: ReadonlySet<string> = new Set(['expression', 'messageExpression', 'valueExpression']);
/** Kinds of policies whose objects contain expressions. */
const POLICY_KINDS: ReadonlySet<string> = new Set(['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy']);

/** Returns the CEL expression whose text contains an offset of a document. Returns undefined if there is no expression at this offset. */
export function expressionAt(part: PlacedPart, offset: number): WrittenExpression | undefined {
  const place = part.part.source.placeAt(offset);
  return place?.on === 'value' && place.scalar !== undefined && isExpression(place.path, part.part.object)
    ? written(part, place.path, place.scalar)
    : undefined;
}

/** Yields all CEL expressions of rules and policies in a document, in no particular order. */
export function* expressionsOf(part: PlacedPart): Iterable<WrittenExpression> {
  for (const key of new Set([...RULE_EXPRESSIONS, ...POLICY_EXPRESSIONS]))
    for (const { path, scalar } of part.part.source.valuesOf(key))
      if (scalar !== undefined && isExpression(path, part.part.object)) yield written(part, path, scalar);
}

function written(part: PlacedPart, path: KeyPath, { start, end, text }: { start: number; end: number; text: string }): WrittenExpression {
  const source = part.part.text.slice(start, end);
  const offsets = writtenOffsets(source, text).map((offset) => start + offset);
  return { path, text, start, end, offsets, isPlain: !/^["'|>]/.test(source) };
}

/** Returns true if the policy field with the name `key` contains an expression. */
export const isPolicyExpression = (key: string): boolean => POLICY_EXPRESSIONS.has(key);

/** Returns true if the field at `path` contains an expression. */
function isExpression(path: KeyPath, object: JsonObject | undefined): boolean {
  const key = path.at(-1);
  if (typeof key !== 'string') return false;
  if (RULE_EXPRESSIONS.has(key) && path.at(-3) === 'x-kubernetes-validations') return true;
  return isPolicyExpression(key) && path[0] === 'spec' && POLICY_KINDS.has(String(object?.['kind']));
}

/**
 * Returns the variables and environment of an expression. Returns undefined if they are unknown, for example because the document is
 * neither a definition nor an admission policy.
 */
export function placeOfExpression(path: KeyPath, part: PlacedPart, query: LanguageQuery): ExpressionPlace | undefined {
  const definition = query.workspace.definition(part)?.readable(query.minor);
  return definition === undefined ? placeInPolicy(path, part.part.object, query) : placeInDefinition(path, definition);
}

function placeInDefinition(path: KeyPath, analysis: AnalyzedDefinition): ExpressionPlace | undefined {
  const found = schemaPlace(path, analysis.versions);
  const node = found && analysis.node(found.version, found.path);
  const rule = found && ruleAt(found);
  if (node?.self === undefined || rule === undefined) return undefined;
  const optionalOldSelf = node.schema.rules[rule.index]?.optionalOldSelf === true;
  return { variables: ruleVariables(node.self, optionalOldSelf), environment: node.environment };
}

/**
 * Returns the variables and environment of the expression at `path` in the policy `object`. The CEL variable `object` has the type of the
 * kind that the policy's rules match, as in the server's type checking. Returns undefined if `object` is not an admission policy.
 */
export function placeInPolicy(path: KeyPath, object: JsonObject | undefined, query: LanguageQuery): ExpressionPlace | undefined {
  if (object === undefined || !POLICY_KINDS.has(String(object['kind']))) return undefined;
  const spec = isJsonObject(object['spec']) ? object['spec'] : undefined;
  const typed = variablesOfPolicy(object, query.workspace.typeChecking(query.minor));
  const names = Array.isArray(spec?.['variables']) ? spec['variables'] : [];
  const own = new Map(names.flatMap((one) => (isJsonObject(one) && typeof one['name'] === 'string' ? [[one['name'], DYN] as const] : [])));
  const choice = { params: spec?.['paramKind'] !== undefined, authorizer: path.at(-1) !== 'messageExpression', variables: own };
  return { variables: typed ?? declaredVariables(choice), environment: environmentFor(query.minor, 'new') };
}
