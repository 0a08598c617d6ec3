import { schemaPathText } from '#crd';
import { readYaml } from '#go';
import type { AnalyzedDefinition, Suggestion } from '#crd';
import { minorWords } from '#kube';
import { costText } from '#numbers';
import type { CodeAction, TextEdit } from './answers.ts';
import type { LanguageQuery } from './language-query.ts';
import { rangeIn } from './expression-edits.ts';
import { olderCalls } from '../expressions/older-calls.ts';
import { nearestWordAction } from './nearest-word.ts';
import type { Range } from '../open-texts/position.ts';
import { ruleAt, schemaPlace } from '../places/schema-place.ts';
import type { SchemaPlace } from '../places/schema-place.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { expressionAt, placeOfExpression } from '../places/written-expressions.ts';
import { SourceDocument } from '../../texts/source-document.ts';
import { schemaField } from '../../texts/written-field.ts';

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
 * Returns true if quotes would change a value, because YAML does not read the unquoted text as a string. `written` is the text in the
 * document, and `text` is the value of the scalar.
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
    // The action needs a text without doubled quotes or folded lines, because it replaces the text as written.
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
  const suggestions = [explained.suggestions ?? [], explained.messageSuggestions ?? []].flatMap(roomiestFirst);
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

/** Sorts suggestions by their smallest bound, the largest first. The first suggestion then restricts objects least. */
function roomiestFirst(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const room = ({ changes }: Suggestion): number => Math.min(...changes.map(({ value }) => Number(value)));
  return suggestions.toSorted((a, b) => room(b) - room(a));
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
