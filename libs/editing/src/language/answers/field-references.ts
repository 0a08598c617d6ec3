import { escapeFieldName, tokenize, unescapeFieldName } from '#cel';
import type { Token } from '#cel';
import { schemaPathText } from '#crd';
import type { SchemaPath } from '#crd';
import type { LanguageQuery } from '../open-texts/workspace.ts';
import { rangeIn, readOffset, variableAt } from './expression-edits.ts';
import { ExpressionScope, SELF_TYPE } from '../expressions/expression-scope.ts';
import { utf16Offsets } from '../expressions/expression-tokens.ts';
import type { Position, Range } from '../open-texts/position.ts';
import { schemaPlace } from '../places/schema-place.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { expressionAt, expressionsOf, placeOfExpression } from '../places/written-expressions.ts';
import type { WrittenExpression } from '../places/written-expressions.ts';

/** Returns the ranges that name the macro variable or schema field at a position. The declaration comes first. */
export function referencesAt(document: TextDocument, position: Position, query: LanguageQuery): readonly Range[] {
  const found = variableAt(document, position);
  if (found !== undefined) return found.variable.spans.map((span) => rangeIn(document, found.part, found.expression, span));
  const part = document.partAt(position);
  const offset = document.positions.offsetOf(position) - part.start;
  const field = fieldAt(part, offset, query);
  return field === undefined ? [] : new FieldReferences(document, part, query).of(field);
}

/** Field in the schema of a version, identified by its path. */
interface SchemaField {
  readonly version: string;
  readonly path: SchemaPath;
}

/**
 * Returns the field whose key in a schema is at an offset, or that an expression at this offset names. Returns undefined if there is none.
 */
function fieldAt(part: PlacedPart, offset: number, query: LanguageQuery): SchemaField | undefined {
  const analysis = query.workspace.definition(part)?.readable(query.minor);
  const place = part.part.source.placeAt(offset);
  const found = analysis && place && schemaPlace(place.path, analysis.versions);
  if (found === undefined) return undefined;
  if (place?.on === 'key' && found.rest.length === 0 && found.path.at(-1)?.kind === 'property') return found;
  const expression = expressionAt(part, offset);
  return (
    expression && namedFields(expression, part, query).find(({ start, end }) => isInside(readOffset(expression, offset), start, end))?.field
  );
}

const isInside = (at: number, start: number, end: number): boolean => at >= start && at <= end;

interface NamedField {
  readonly field: SchemaField;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the schema fields that are named in an expression of a definition, with their UTF-16 offsets in the expression. A name is
 * resolved by the type of the operand before it. Names of unknown types are left out.
 */
function namedFields({ path, text }: WrittenExpression, part: PlacedPart, query: LanguageQuery): readonly NamedField[] {
  const analysis = query.workspace.definition(part)?.readable(query.minor);
  const own = analysis && schemaPlace(path, analysis.versions);
  const place = placeOfExpression(path, part, query);
  const tokens = tokenize(text)?.slice(0, -1);
  if (own === undefined || place === undefined || tokens === undefined) return [];
  const scope = new ExpressionScope(text, tokens, place);
  const starts = utf16Offsets(text);
  return tokens.flatMap((token, index): NamedField[] => {
    if (token.kind !== 'IDENTIFIER' || tokens[index - 1]?.kind !== '.' || tokens[index + 1]?.kind === '(') return [];
    const type = scope.typeOf(scope.startOfOperand(index - 1), index - 1, scope.variablesAt(index));
    const steps = type?.kind === 'object' ? stepsOf(type.name, token) : undefined;
    const start = starts[token.offset] ?? 0;
    return steps === undefined
      ? []
      : [{ field: { version: own.version, path: [...own.path, ...steps] }, start, end: start + token.text.length }];
  });
}

/**
 * Returns the path of a field below `self`. The path is derived from the name of the object's type, because type names contain the path
 * below `self`. Undefined for all other fields.
 */
function stepsOf(typeName: string, field: Token): SchemaPath | undefined {
  if (typeName !== SELF_TYPE && !typeName.startsWith(`${SELF_TYPE}.`)) return undefined;
  const names = [...typeName.split('.').slice(1), field.text];
  return names.map((name) =>
    name === '@idx'
      ? { kind: 'items' }
      : name === '@elem'
        ? { kind: 'additionalProperties' }
        : { kind: 'property', name: unescapeFieldName(name) ?? name },
  );
}

/** Search for all ranges that name a certain field in one definition. */
class FieldReferences {
  readonly #document: TextDocument;
  readonly #part: PlacedPart;
  readonly #query: LanguageQuery;

  constructor(document: TextDocument, part: PlacedPart, query: LanguageQuery) {
    this.#document = document;
    this.#part = part;
    this.#query = query;
  }

  of({ version, path }: SchemaField): readonly Range[] {
    const wanted = celPath(path);
    const uses = [...expressionsOf(this.#part)].flatMap((expression) =>
      namedFields(expression, this.#part, this.#query)
        .filter(({ field }) => field.version === version && celPath(field.path) === wanted)
        .map((span) => rangeIn(this.#document, this.#part, expression, span)),
    );
    return [...this.#declaration(version, path), ...uses];
  }

  #declaration(version: string, path: SchemaPath): readonly Range[] {
    const analysis = this.#query.workspace.definition(this.#part)?.readable(this.#query.minor);
    const name = path.at(-1);
    if (analysis === undefined || name?.kind !== 'property') return [];
    const at = `spec.versions[${analysis.versions.indexOf(version)}].schema.openAPIV3Schema.${schemaPathText(path)}`;
    const stretch = this.#part.part.source.stretchOf(at, 'name');
    return stretch === undefined
      ? []
      : [this.#document.positions.rangeOf(this.#part.start + stretch.start, this.#part.start + stretch.end)];
  }
}

/** Returns a text for a schema path, so that two paths can be compared. Field names are escaped as in CEL expressions. */
const celPath = (path: SchemaPath): string =>
  path.map((step) => (step.kind === 'property' ? (escapeFieldName(step.name) ?? step.name) : step.kind)).join('.');
