import { newJsonObject } from '#go';
import { versionOf } from '#kube';
import type { Completion } from './answers.ts';
import type { LanguageQuery } from '../open-texts/workspace.ts';
import { fieldsOf, KEYWORD_VALUES, RULE_KEYS, SCHEMA_KEYS } from './completion-keys.ts';
import type { KnownKey } from './completion-keys.ts';
import type { DefinitionState } from '../open-texts/definition-state.ts';
import { completeExpression } from '../expressions/complete-expression.ts';
import { ruleVariables } from '../expressions/expression-scope.ts';
import { resolveField } from './hover.ts';
import type { Position, Range } from '../open-texts/position.ts';
import { ruleAt, schemaPlace } from '../places/schema-place.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { flowPlace } from '../places/flow-place.ts';
import { isPolicyExpression, placeInPolicy } from '../places/written-expressions.ts';
import { writtenPlace } from '../places/written-place.ts';
import type { WrittenPlace } from '../places/written-place.ts';
import type { KeyPath } from '../../texts/edit-entry.ts';

/** Returns the completions at a position in a text. */
export function complete(document: TextDocument, position: Position, query: LanguageQuery): readonly Completion[] {
  const part = document.partAt(position);
  const lineText = document.positions.lineText(position.line);
  const before = lineText.slice(0, position.character);
  const lines = linesBetween(document, part.line, position.line);
  const place = part.part.isJson
    ? placeInJson(document, part, position)
    : writtenPlace(lines, before, linesBetween(document, position.line + 1, lastLineOf(document, part)));
  if (place === undefined) return [];
  const completer = new Completer(place, position, { query, part, behind: lineText.slice(position.character) });
  const state = query.workspace.definition(part) ?? query.workspace.definitionWithoutLine(part, position.line - part.line);
  return state === undefined ? completer.inObject() : completer.inDefinition(state);
}

/**
 * Returns the position inside a JSON document. JSON is parsed as YAML flow style. Returns undefined if the innermost open bracket begins a
 * list, or if no bracket is open.
 */
function placeInJson({ positions }: TextDocument, part: PlacedPart, position: Position): WrittenPlace | undefined {
  const text = part.part.text.slice(0, positions.offsetOf(position) - part.start).replace(/^---.*/, '');
  const place = flowPlace(text);
  return place && { ...place, isFlow: true };
}

const lastLineOf = ({ positions, parts }: TextDocument, part: PlacedPart): number =>
  parts[parts.indexOf(part) + 1]?.line ?? positions.lines;

/** Returns the text of the lines from `from` to `to` (exclusive). A document separator is replaced by an empty text. */
function linesBetween({ positions }: TextDocument, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let line = from; line < to; line++) lines.push(positions.lineText(line).replace(/^---(?=\s|$).*/, ''));
  return lines;
}

/** Returns the `apiVersion` or `kind` of a document, even if the document has syntax errors elsewhere. */
function typeField({ part: { isJson, text } }: PlacedPart, name: 'apiVersion' | 'kind'): string {
  const written = isJson ? new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`) : new RegExp(`^${name}:[ \\t]*["']?([^\\s"'#]+)`, 'm');
  return written.exec(text)?.[1] ?? '';
}

interface Surroundings {
  readonly query: LanguageQuery;
  readonly part: PlacedPart;
  /** Rest of the line after the position. */
  readonly behind: string;
}

class Completer {
  readonly #place: WrittenPlace;
  readonly #position: Position;
  readonly #around: Surroundings;

  constructor(place: WrittenPlace, position: Position, around: Surroundings) {
    this.#place = place;
    this.#position = position;
    this.#around = around;
  }

  inDefinition(state: DefinitionState): readonly Completion[] {
    const analysis = state.readable(this.#around.query.minor);
    const { map, key } = this.#place;
    const found = analysis && schemaPlace(map, analysis.versions);
    if (analysis === undefined || found === undefined) return [];
    const rule = ruleAt(found);
    if (rule !== undefined && rule.field === undefined && (key === 'rule' || key === 'messageExpression')) {
      const node = analysis.node(found.version, found.path);
      if (node?.self === undefined) return [];
      const optionalOldSelf = node.schema.rules[rule.index]?.optionalOldSelf === true;
      return this.#expression({ variables: ruleVariables(node.self, optionalOldSelf), environment: node.environment });
    }
    if (rule === undefined && found.rest.length > 0) return [];
    if (key !== undefined) return this.#values(KEYWORD_VALUES.get(key) ?? []);
    return this.#keys(rule === undefined ? SCHEMA_KEYS : RULE_KEYS);
  }

  inObject(): readonly Completion[] {
    const { query, part } = this.#around;
    const apiVersion = typeField(part, 'apiVersion');
    const kind = typeField(part, 'kind');
    const analysis = query.workspace.definitionOf(apiVersion, kind)?.readable(query.minor);
    const { map, key } = this.#place;
    const policy = key !== undefined && isPolicyExpression(key) ? this.#inPolicy(kind, [...map, key]) : undefined;
    if (policy !== undefined) return policy;
    const found = analysis && resolveField(analysis, versionOf(apiVersion), map);
    if (analysis === undefined || found === undefined) return [];
    if (key === undefined) return this.#keys(fieldsOf(found.node.schema));
    const value = resolveField(analysis, versionOf(apiVersion), [...map, key])?.node.schema;
    if (value === undefined) return [];
    const allowed = value.enum?.map(String) ?? (value.type === 'boolean' ? ['true', 'false'] : []);
    return this.#values(
      allowed.length === 0 && value.default !== undefined && typeof value.default !== 'object' ? [String(value.default)] : allowed,
    );
  }

  /**
   * Returns completions in an expression of a policy. The policy may have syntax errors, because only the kind of the policy is needed.
   * Undefined if there is no expression at the path.
   */
  #inPolicy(kind: string, path: KeyPath): readonly Completion[] | undefined {
    const { query, part } = this.#around;
    const object = part.part.object ?? Object.assign(newJsonObject(), { kind });
    const place = placeInPolicy(path, object, query);
    return place && this.#expression(place);
  }

  #expression(place: Parameters<typeof completeExpression>[1]): readonly Completion[] {
    const { begun, items } = completeExpression(this.#place.written, place);
    const range = this.#rangeOf(begun);
    const quoted = (text: string): string => (this.#place.style === 'single' ? text.replaceAll("'", "''") : text);
    return items.map((item) => ({ ...item, insert: quoted(item.insert), range }));
  }

  #keys(keys: readonly (KnownKey & { readonly required?: boolean })[]): readonly Completion[] {
    const { written, siblings } = this.#place;
    const range = this.#rangeOf(written.length);
    const column = this.#position.character - written.length;
    const inside = `\n${' '.repeat(column + 2)}`;
    const following = { scalar: ': ', map: `:${inside}`, list: `:${inside}- ` } as const;
    const keyText = ({ name, value }: KnownKey): string =>
      this.#place.isFlow ? this.#flowKey(name) : this.#around.behind.trim() === '' ? `${name}${following[value]}` : name;
    return keys
      .filter(({ name }) => !siblings.has(name) && name.toLowerCase().startsWith(written.toLowerCase()))
      .map(({ required = false, ...known }) => ({
        label: known.name,
        kind: 'key',
        ...(required && { detail: 'required' }),
        documentation: known.doc,
        range,
        insert: keyText(known),
        isSnippet: false,
      }));
  }

  /** Returns the text to insert for a key in a flow map, including any missing quotes and colon. */
  #flowKey(name: string): string {
    const { part, behind } = this.#around;
    const hasColon = /^["']?\s*:/.test(behind);
    const colon = hasColon ? '' : ': ';
    if (this.#place.style === 'plain') return part.part.isJson ? `"${name}"${colon}` : `${name}${colon}`;
    const quote = this.#place.style === 'double' ? '"' : "'";
    // An editor may already have inserted the closing quote.
    return behind.startsWith(quote) ? name : `${name}${quote}${colon}`;
  }

  #values(values: readonly string[]): readonly Completion[] {
    const { written } = this.#place;
    const range = this.#rangeOf(written.length);
    return values
      .filter((value) => value.toLowerCase().startsWith(written.toLowerCase()))
      .map((value) => ({ label: value, kind: 'value', range, insert: this.#valueText(value), isSnippet: false }));
  }

  /** Returns the text to insert for a value. In JSON, missing quotes are added if the value is a string. */
  #valueText(value: string): string {
    const isText = !/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(value);
    return this.#around.part.part.isJson && this.#place.style === 'plain' && isText ? JSON.stringify(value) : value;
  }

  /** Returns the range of the last `begun` characters before the position. */
  #rangeOf(begun: number): Range {
    const { line, character } = this.#position;
    return { start: { line, character: Math.max(0, character - begun) }, end: this.#position };
  }
}
