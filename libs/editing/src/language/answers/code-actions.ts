import { schemaPathText } from '#crd';
import { readYaml, nearestName } from '#go';
import type { AnalyzedDefinition, Suggestion } from '#crd';
import { minorWords } from '#kube';
import { costText } from '#numbers';
import type { CodeAction, TextEdit } from './answers.ts';
import type { LanguageQuery } from '../open-texts/workspace.ts';
import { rangeIn } from './expression-edits.ts';
import type { Range, Position } from '../open-texts/position.ts';
import { ruleAt, schemaPlace } from '../places/schema-place.ts';
import type { SchemaPlace } from '../places/schema-place.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { expressionAt, placeOfExpression } from '../places/written-expressions.ts';
import { SourceDocument } from '../../texts/source-document.ts';
import { schemaField } from '../../texts/written-field.ts';
import { complete } from './complete.ts';
import { tokenize } from '#cel';
import type { Environment, Token } from '#cel';
import { argumentsOf, closingOf, utf16Offsets } from '../expressions/expression-tokens.ts';
import { ExpressionScope } from '../expressions/expression-scope.ts';
import type { ExpressionPlace } from '../expressions/expression-scope.ts';

/** Returns the code actions that apply at the beginning of a range. */
export function actionsAt(document: TextDocument, range: Range, query: LanguageQuery): CodeAction[] {
  const part = document.partAt(range.start);
  const offset = document.positions.offsetOf(range.start) - part.start;
  if (part.part.syntaxError !== undefined) return quoteLine(document, part, range.start.line);
  const place = part.part.source.placeAt(offset);
  const actions: CodeAction[] = [];
  const analysis = query.workspace.definition(part)?.analysis(query.minor);
  const found = analysis && place && schemaPlace(place.path, analysis.versions);
  if (analysis !== undefined && found !== undefined) actions.push(...ruleActions(document, part, { analysis, found }));
  actions.push(...olderActions(document, part, offset, query), ...nearestWordAction(document, range.start, query));
  if (place?.on === 'value' && place.scalar !== undefined) {
    const { start, end, text } = place.scalar;
    const written = part.part.text.slice(start, end);
    if (isOtherQuoted(written, text))
      actions.push({
        title: 'Quote the value',
        edits: [{ range: document.positions.rangeOf(part.start + start, part.start + end), newText: JSON.stringify(text) }],
      });
  }
  return actions;
}

/** Pattern of words that YAML 1.1 reads as booleans. */
const BOOLEAN_WORD = /^(?:y|yes|on|n|no|off)$/i;

/**
 * Returns true if YAML does not read an unquoted text as a string, so that quotes change the value. This applies to texts with special
 * characters, and to words such as `on`. `written` is the text in the document, and `text` is the value of the scalar.
 */
function isOtherQuoted(written: string, text: string): boolean {
  const isPlain = /^[^"'|>\s]/.test(written) && !written.includes('\n');
  if (!isPlain || !(/[^\w.-]/.test(text) || BOOLEAN_WORD.test(written))) return false;
  const reading = readYaml(written);
  return !reading.ok || typeof reading.value !== 'string';
}

/** Returns actions that replace calls in an expression by equivalent calls that the oldest selected Kubernetes minor version supports. */
function olderActions(document: TextDocument, part: PlacedPart, offset: number, query: LanguageQuery): CodeAction[] {
  const expression = expressionAt(part, offset);
  const place = expression && placeOfExpression(expression.path, part, query);
  if (expression === undefined || place === undefined) return [];
  return olderCalls(expression.text, place).flatMap(({ start, end, before, after }) => {
    const range = rangeIn(document, part, expression, { start, end });
    // The action replaces the call in the document. So the document must contain the call literally, without doubled quotes or folded
    // lines.
    const written = part.part.text.slice(expression.offsets[start], (expression.offsets[end - 1] ?? 0) + 1);
    return written === before
      ? [
          {
            title: `Replace ${before} with ${after}, which Kubernetes ${minorWords(query.minor)} knows`,
            edits: [{ range, newText: after }],
          },
        ]
      : [];
  });
}

interface FoundRule {
  readonly analysis: AnalyzedDefinition;
  readonly found: SchemaPlace;
}

function ruleActions(document: TextDocument, part: PlacedPart, { analysis, found }: FoundRule): CodeAction[] {
  const rule = ruleAt(found);
  const explained = rule && analysis.rule(found.version, found.path, rule.index);
  if (rule === undefined || explained === undefined) return [];
  const suggestions = [...(explained.suggestions ?? []), ...(explained.messageSuggestions ?? [])];
  const bounds = suggestions.flatMap((suggestion) => boundsAction(document, part, { version: found.version, suggestion }) ?? []);
  const source = analysis.node(found.version, found.path)?.schema.rules[rule.index];
  if (!explained.usesOldSelf || source?.optionalOldSelf !== undefined) return bounds;
  const root = schemaField(found.version, part.part.source);
  const node = schemaPathText(found.path);
  const field = `${node === '' ? root : `${root}.${node}`}.x-kubernetes-validations[${rule.index}]`;
  const text = part.part.source.withEntry(field, 'optionalOldSelf', 'true');
  return text === undefined
    ? bounds
    : [...bounds, { title: 'Evaluate the rule at creation, too (optionalOldSelf: true)', edits: [editTo(document, part, text)] }];
}

/**
 * Returns an action that sets the schema bounds, such as `maxItems`, from a suggestion that reduces the cost of a rule. Returns undefined
 * if the bounds cannot be inserted into the text of the document.
 */
function boundsAction(
  document: TextDocument,
  part: PlacedPart,
  { version, suggestion }: { readonly version: string; readonly suggestion: Suggestion },
): CodeAction | undefined {
  let { text } = part.part;
  for (const { bound, value } of suggestion.changes) {
    const source = new SourceDocument(text);
    const root = schemaField(version, source);
    const path = schemaPathText(bound.path);
    const changed = source.withEntry(path === '' ? root : `${root}.${path}`, bound.keyword, value.toString());
    if (changed === undefined) return undefined;
    text = changed;
  }
  const words = suggestion.changes.map(({ bound, value }) => `${bound.keyword}: ${value} of ${bound.fields}`);
  return { title: `Set ${words.join(', ')} (estimate ${costText(suggestion.cost)})`, edits: [editTo(document, part, text)] };
}

/** Returns the edit that replaces a document's text by `text`. The edit covers only the range from the first to the last difference. */
function editTo({ positions }: TextDocument, part: PlacedPart, text: string): TextEdit {
  const before = part.part.text;
  let start = 0;
  while (start < before.length && before[start] === text[start]) start++;
  let same = 0;
  while (same < Math.min(before.length, text.length) - start && before.at(-1 - same) === text.at(-1 - same)) same++;
  return {
    range: positions.rangeOf(part.start + start, part.start + before.length - same),
    newText: text.slice(start, text.length - same),
  };
}

/**
 * Returns an action that puts quotes around the value in a line of a document with syntax errors. A special character in the value, such as
 * a colon, may cause the error.
 */
function quoteLine({ positions }: TextDocument, _part: PlacedPart, line: number): CodeAction[] {
  const text = positions.lineText(line);
  const [, head, value] = /^([ \t]*(?:- +)*[\w$-]+:[ \t]+)([^"'|>#\s].*?)[ \t]*$/.exec(text) ?? [];
  if (head === undefined || value === undefined) return [];
  const range = { start: { line, character: head.length }, end: { line, character: head.length + value.length } };
  return [{ title: 'Quote the value', edits: [{ range, newText: JSON.stringify(value) }] }];
}

/** Kinds of completions whose labels are compared with a misspelt word: fields, keys and values. */
const NAMES: ReadonlySet<string> = new Set(['field', 'key', 'value']);

/**
 * Returns the editor action that replaces a misspelt field, key or value at a position by the most similar known name. Returns an empty
 * list if no known name is similar.
 */
function nearestWordAction(document: TextDocument, { line, character }: Position, query: LanguageQuery): readonly CodeAction[] {
  const text = document.positions.lineText(line);
  // An error about a field in an expression begins at the dot before the field.
  const inside = text[character] === '.' ? character + 1 : character;
  const from = inside - (/[\w-]*$/.exec(text.slice(0, inside))?.[0].length ?? 0);
  const word = /^[\w-]+/.exec(text.slice(from))?.[0] ?? '';
  if (word === '') return [];
  const start = { line, character: from };
  const known = complete(document, start, query).filter(({ kind }) => NAMES.has(kind));
  const nearest = nearestName(
    word,
    known.map(({ label }) => label),
  );
  if (nearest === undefined) return [];
  const range = { start, end: { line, character: from + word.length } };
  return [{ title: `Replace ${word} with ${nearest}`, edits: [{ range, newText: nearest }] }];
}

/** Call that a Kubernetes minor version does not support, with an equivalent call that it supports. Offsets are in UTF-16 code units. */
interface OlderCall {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Table from macros with two variables to equivalent macros with one variable. For a list, both give the same result if the index variable
 * is not used.
 */
const ONE_VARIABLE: Readonly<Record<string, string>> = {
  all: 'all',
  exists: 'exists',
  existsOne: 'exists_one',
  exists_one: 'exists_one',
  transformList: 'map',
};

/**
 * Returns the calls of an expression that can be replaced because the Kubernetes minor version of `place` does not support them. Each is
 * returned with an equivalent call that this version supports. The calls are in text order.
 */
function olderCalls(text: string, place: ExpressionPlace): readonly OlderCall[] {
  const tokens = tokenize(text)?.slice(0, -1) ?? [];
  const scope = new ExpressionScope(text, tokens, place);
  const starts = utf16Offsets(text);
  const codePoints = [...text];
  const between = (from: number, to: number): string => codePoints.slice(from, to).join('');
  return tokens.flatMap((token, index): OlderCall[] => {
    if (tokens[index + 1]?.kind !== '(' || tokens[index - 1]?.kind !== '.') return [];
    const open = index + 1;
    const close = closingOf(tokens, open);
    const behind = (tokens[close]?.offset ?? codePoints.length) + 1;
    const first = scope.startOfOperand(index - 1);
    // In a macro over a map, a single variable is the key, and two variables are the key and the value. So the rewrite is correct only for
    // lists.
    if (scope.typeOf(first, index - 1, scope.variablesAt(index))?.kind !== 'list') return [];
    const body = oneVariable(tokens, { open, close }, place.environment);
    if (body !== undefined) {
      const after = `${body.name}(${between(body.from.offset, behind)}`;
      return [{ start: starts[token.offset] ?? 0, end: starts[behind] ?? text.length, before: between(token.offset, behind), after }];
    }
    if (token.text !== 'includes' || place.environment.functions.has('includes') || argumentsOf(tokens, open) !== 1) return [];
    const receiver = tokens[first];
    if (receiver === undefined) return [];
    const argument = between((tokens[open]?.offset ?? 0) + 1, tokens[close]?.offset ?? 0).trim();
    const after = `(${argument} in ${scope.textOf(first, index - 1)})`;
    return [{ start: starts[receiver.offset] ?? 0, end: starts[behind] ?? text.length, before: between(receiver.offset, behind), after }];
  });
}

/**
 * Returns the name of an equivalent macro with one variable, and the token at which its arguments begin. Returns undefined if the
 * Kubernetes minor version supports the given macro, or if this macro needs both variables.
 */
function oneVariable(
  tokens: readonly Token[],
  { open, close }: { readonly open: number; readonly close: number },
  { syntax }: Environment,
): { readonly name: string; readonly from: Token } | undefined {
  const name = tokens[open - 1]?.text ?? '';
  const other = Object.hasOwn(ONE_VARIABLE, name) ? ONE_VARIABLE[name] : undefined;
  if (other === undefined) return undefined;
  const count = argumentsOf(tokens, open);
  const isKnown = [...syntax.macros.values()].some((macro) => macro.name === name && macro.style === 'method' && macro.arguments === count);
  if (isKnown) return undefined;
  const [index, comma, from] = tokens.slice(open + 1, open + 4);
  if (count === 2) return other === name || index === undefined ? undefined : { name: other, from: index };
  if (count !== 3 || index?.kind !== 'IDENTIFIER' || comma?.kind !== ',' || from?.kind !== 'IDENTIFIER') return undefined;
  const isNamed = tokens.slice(open + 4, close).some((token) => token.kind === 'IDENTIFIER' && token.text === index.text);
  return isNamed ? undefined : { name: other, from };
}
