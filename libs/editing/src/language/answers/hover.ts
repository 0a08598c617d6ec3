import { schemaPathText } from '#crd';
import type { AnalyzedDefinition, AnalyzedNode, PricedPart, SchemaPath, SchemaProps } from '#crd';
import { versionOf } from '#kube';
import { costText } from '#numbers';
import type { Hover } from './answers.ts';
import type { LanguageQuery } from './language-query.ts';
import { typeWords } from './completion-keys.ts';
import { hoverExpression } from '../expressions/hover-expression.ts';
import { lensTitle } from './lenses.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import type { Position } from '../open-texts/position.ts';
import { ruleAt, schemaPlace } from '../places/schema-place.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { objectsOf } from '../open-texts/workspace.ts';
import { expressionAt, placeOfExpression } from '../places/written-expressions.ts';
import type { KeyPath } from '../../texts/edit-entry.ts';
import type { ValueRange } from '../../texts/source-document.ts';

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
  inExpression(offset: number, parts?: PricedPart): Words | undefined {
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
