import { schemaPathText } from '#crd';
import type { AnalyzedDefinition, AnalyzedNode, CostedPart, SchemaPath, SchemaProps } from '#crd';
import { versionOf, EXPRESSION_COST_LIMIT } from '#kube';
import { costText, costShare } from '#numbers';
import { typeWords } from './completion-keys.ts';
import { lensTitle } from './lenses.ts';
import { markdownCode, markdownText } from './answers.ts';
import type { Hover } from './answers.ts';
import type { Position } from '../open-texts/position.ts';
import { ruleAt, schemaPlace } from '../places/schema-place.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { objectsOf } from '../open-texts/workspace.ts';
import type { LanguageQuery } from '../open-texts/workspace.ts';
import { expressionAt, placeOfExpression } from '../places/written-expressions.ts';
import type { KeyPath } from '../../texts/edit-entry.ts';
import type { ValueRange } from '../../texts/source-document.ts';
import { tokenize } from '#cel';
import { ExpressionScope } from '../expressions/expression-scope.ts';
import type { ExpressionPlace } from '../expressions/expression-scope.ts';
import { functionWords, MACROS, shownType } from '../expressions/function-words.ts';
import { isMember, utf16Offsets } from '../expressions/expression-tokens.ts';

/** Explanation of a part of an expression. Offsets are in UTF-16 code units. */
interface ExpressionHover {
  readonly start: number;
  readonly end: number;
  /** Text of the explanation, in Markdown. */
  readonly text: string;
}

/**
 * Returns an explanation for a position in an expression. It contains the type of the name at the position, or the documentation of the
 * function. It also contains the cost of the smallest part around the position. Returns undefined if nothing is known about the position.
 *
 * @param at offset in UTF-16 code units
 * @param parts costs of the expression's parts; undefined if the expression does not compile
 */
function hoverExpression(text: string, at: number, place: ExpressionPlace, parts: CostedPart | undefined): ExpressionHover | undefined {
  const name = nameAt(text, at, place);
  const part = parts && smallestPart(text, at, parts);
  if (name === undefined && part === undefined) return undefined;
  const words = [name?.text, part && partWords(part.part)].filter((word) => word !== undefined);
  const { start, end } = name ?? (part as { start: number; end: number });
  return { start, end, text: words.join('\n\n---\n\n') };
}

function nameAt(text: string, at: number, place: ExpressionPlace): ExpressionHover | undefined {
  const tokens = tokenize(text)?.slice(0, -1);
  if (tokens === undefined) return undefined;
  const starts = utf16Offsets(text);
  const index = tokens.findIndex(({ offset, text: own }) => {
    const start = starts[offset] ?? 0;
    return start <= at && at <= start + own.length && /^[\w`]/.test(own);
  });
  const token = tokens[index];
  if (token === undefined || (token.kind !== 'IDENTIFIER' && token.kind !== 'ESC_IDENTIFIER')) return undefined;
  const start = starts[token.offset] ?? 0;
  const range = { start, end: start + token.text.length };
  const scope = new ExpressionScope(text, tokens, place);
  const variables = scope.variablesAt(index);
  const first = scope.startOfOperand(index + 1);
  if (tokens[index + 1]?.kind === '(') {
    const qualified = scope.textOf(first, index + 1);
    const receiver = isMember(tokens, index) ? scope.typeOf(first, index - 1, variables) : undefined;
    const words = functionWords(qualified, undefined) ?? functionWords(token.text, receiver);
    return words === undefined ? undefined : { ...range, text: words };
  }
  const bound = isMacroVariable(tokens[index - 1]?.kind, tokens[index - 2]?.text)
    ? scope.variablesAt(index + 2).get(token.text)
    : undefined;
  const type = bound ?? scope.typeOf(first, index + 1, variables);
  if (type === undefined) return undefined;
  return { ...range, text: `\`\`\`cel\n${scope.textOf(first, index + 1).replaceAll('```', "'''")}: ${shownType(type)}\n\`\`\`` };
}

/**
 * Returns true if a name is a variable that a macro declares as its first argument. `before` is the text before the name, and `called` is
 * the called function.
 */
const isMacroVariable = (before: string | undefined, called: string | undefined): boolean =>
  before === '(' && called !== undefined && called !== 'has' && Object.hasOwn(MACROS, called);

interface FoundPart {
  readonly part: CostedPart;
  readonly start: number;
  readonly end: number;
}

function smallestPart(text: string, at: number, root: CostedPart): FoundPart | undefined {
  const lines = text.split('\n');
  const startOf = ({ line, column }: CostedPart): number =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) +
    [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  let found: FoundPart | undefined;
  const visit = (part: CostedPart): void => {
    const start = startOf(part);
    const end = start + part.text.length;
    if (at < start || at > end) return;
    found = { part, start, end };
    part.parts.forEach(visit);
  };
  visit(root);
  return found;
}

function partWords({ text, estimate }: CostedPart): string {
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  const times = estimate.evaluations > 1n ? `, evaluated up to ${costText(estimate.evaluations)} times` : '';
  return `\`${shown.replaceAll('`', "'").replaceAll('\n', ' ')}\` costs up to **${costText(estimate.total.max)}** in one evaluation of the rule (${costShare(estimate.total.max, EXPRESSION_COST_LIMIT)} of what a rule may cost${times})`;
}

/** Returns the hover text for a position in a text. Returns undefined if there is nothing to explain at this position. */
export function hoverAt(document: TextDocument, position: Position, query: LanguageQuery): Hover | undefined {
  const part = document.partAt(position);
  const offset = document.positions.offsetOf(position) - part.start;
  const place = part.part.source.placeAt(offset);
  if (place?.scalar === undefined) return undefined;
  const found = new PlaceHover(part, place, query);
  const hover =
    query.workspace.definition(part) === undefined ? (found.inExpression(offset) ?? found.inObject()) : found.inDefinition(offset);
  return hover && { range: document.positions.rangeOf(part.start + hover.start, part.start + hover.end), text: hover.text };
}

interface Words {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class PlaceHover {
  readonly #part: PlacedPart;
  readonly #place: ValueRange;
  readonly #scalar: NonNullable<ValueRange['scalar']>;
  readonly #query: LanguageQuery;

  constructor(part: PlacedPart, place: ValueRange, query: LanguageQuery) {
    this.#part = part;
    this.#place = place;
    this.#scalar = place.scalar as NonNullable<ValueRange['scalar']>;
    this.#query = query;
  }

  inDefinition(offset: number): Words | undefined {
    const analysis = this.#query.workspace.definition(this.#part)?.readable(this.#query.minor);
    const found = analysis && schemaPlace(this.#place.path, analysis.versions);
    const node = found && analysis.node(found.version, found.path);
    if (analysis === undefined || found === undefined || node === undefined) return undefined;
    const rule = ruleAt(found);
    if (rule !== undefined && this.#place.on === 'value' && (rule.field === 'rule' || rule.field === 'messageExpression')) {
      const explained = analysis.rule(found.version, found.path, rule.index);
      return this.inExpression(offset, rule.field === 'rule' ? explained?.parts : explained?.messageParts);
    }
    if (rule !== undefined || found.rest.length > 1) return undefined;
    const { start, end } = this.#scalar;
    return { start, end, text: nodeWords(node, found.path) };
  }

  /** @param parts costs of the expression's parts; undefined if the rule does not compile */
  inExpression(offset: number, parts?: CostedPart): Words | undefined {
    const expression = expressionAt(this.#part, offset);
    const place = expression && placeOfExpression(expression.path, this.#part, this.#query);
    if (expression === undefined || place === undefined) return undefined;
    const { text, offsets } = expression;
    const within = Math.max(
      0,
      offsets.findLastIndex((one) => one <= offset),
    );
    const hover = hoverExpression(text, within, place, parts);
    return hover && { start: offsets[hover.start] ?? 0, end: offsets[hover.end] ?? 0, text: hover.text };
  }

  inObject(): Words | undefined {
    const { path } = this.#place;
    const written = objectsOf(this.#part.part.object).find(({ prefix }) => prefix.every((step, i) => step === path[i]));
    if (written === undefined) return undefined;
    const analysis = this.#query.workspace.definitionOf(written.apiVersion, written.kind)?.readable(this.#query.minor);
    const version = versionOf(written.apiVersion);
    const inside = path.slice(written.prefix.length);
    const found = analysis && resolveField(analysis, version, inside);
    if (analysis === undefined || found === undefined) return undefined;
    const rules = analysis.verdict.rules.filter((rule) => rule.version === version && rule.path.startsWith(rulesPrefix(found.path)));
    const ruleWords = rules.map(
      (rule) => `- ${markdownCode(rule.rule)}  \n  ${rule.error === undefined ? lensTitle(rule) : 'does not compile'}`,
    );
    const { start, end } = this.#scalar;
    const words = [
      markdownText(typeWords(found.node.schema)),
      markdownText(found.node.schema.description),
      ruleWords.length === 0 ? '' : `Rules:\n\n${ruleWords.join('\n')}`,
    ];
    return { start, end, text: words.filter((word) => word !== '').join('\n\n') };
  }
}

const rulesPrefix = (path: SchemaPath): string =>
  [schemaPathText(path), 'x-kubernetes-validations['].filter((part) => part !== '').join('.');

/**
 * Returns the description of a schema node in Markdown. It contains the node's type, its maximum number in an object, and the maximum size
 * that cost estimates assume.
 */
function nodeWords({ schema, cardinality, self }: AnalyzedNode, path: SchemaPath): string {
  const often =
    cardinality === undefined
      ? 'An object may have any number of it: a list or map above has no bound.'
      : cardinality === 1n
        ? 'An object has at most one of it.'
        : `An object may have ${costText(cardinality)} of it.`;
  const size =
    self === undefined || self.maxElements === 0
      ? ''
      : `Estimates take it for up to ${costText(BigInt(self.maxElements))} ${unitOf(schema)}.`;
  const name = path.length === 0 ? 'the whole object' : markdownCode(schemaPathText(path));
  return [
    `${name}: ${markdownText(typeWords(schema))}`,
    markdownText(schema.description),
    [often, size].filter((word) => word !== '').join(' '),
  ]
    .filter((word) => word !== '')
    .join('\n\n');
}

const unitOf = ({ type }: SchemaProps): string => (type === 'array' ? 'items' : type === 'object' ? 'entries' : 'bytes');

/**
 * Returns the schema node that describes a field of an object, and its path in the schema. Entries of a map are described by
 * `additionalProperties`. Returns undefined if the schema does not describe the field.
 */
export function resolveField(
  analysis: AnalyzedDefinition,
  version: string,
  field: KeyPath,
): { readonly node: AnalyzedNode; readonly path: SchemaPath } | undefined {
  let path: SchemaPath = [];
  let node = analysis.node(version, path);
  for (const step of field) {
    if (node === undefined) return undefined;
    const isProperty = typeof step === 'string' && node.schema.properties?.has(step) === true;
    path = [...path, isProperty ? { kind: 'property', name: step } : { kind: typeof step === 'number' ? 'items' : 'additionalProperties' }];
    node = analysis.node(version, path);
  }
  return node && { node, path };
}
