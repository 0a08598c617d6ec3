import { definitionText, readSlice, serverOf } from '#documents';
import type { DefinitionText, DocumentSlice, EvaluationOptions, FieldValidation } from '#documents';
import type { Engine } from '#runner';
import type { DefinitionChange } from '#service';
import type { ReportProblem } from '../../files/file-problem.ts';
import { namedDefinition } from '../../documents/objects-by-kind.ts';
import type { DefinedKind } from '../../documents/objects-by-kind.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { sameNameNotes } from '../../report/words.ts';
import { namedByOptions } from '../../options/shared-options.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import { reportOnStderr } from '../../report/print.ts';
import { UsageError } from '../../usage.ts';

/** Settings for the new definitions of a change. */
export interface DefinitionSettings {
  /** Treatment of unknown and duplicate fields of the new definition. */
  readonly definitionValidation: FieldValidation;
}

/** Definition of one state, with its document. */
export interface NamedDefinition extends DefinedKind {
  readonly document: PlacedDocument;
}

/** Documents before or after a change: the definitions by name, and all documents, among which are the policies. */
export interface DocumentsState {
  readonly definitions: ReadonlyMap<string, NamedDefinition>;
  readonly documents: PlacedDocuments;
}

/** Change of one definition, and the document of its new state. */
export interface WrittenChange extends DefinitionChange {
  readonly written: PlacedDocument;
}

/**
 * Reads a file or folder with the definitions and policies of one state. Other documents are left out. Documents that cannot be read are
 * reported. Throws {@link UsageError} if there is no definition and no policy.
 */
export async function readState(
  path: string,
  { reading }: Pick<CommandSettings, 'reading'>,
  host: Engine,
  reportProblem: ReportProblem,
): Promise<DocumentsState> {
  const documents = await documentsOf(await readInputs([path], reportProblem, namedByOptions(reading)), host);
  const problems = unreadable(documents);
  const definitions = new Map<string, NamedDefinition>();
  const named: { readonly name: string; readonly source: string }[] = [];
  for (const document of documents.definitions) {
    const found = namedDefinition(document.slice);
    if (typeof found === 'string') {
      problems.push(`${document.source}: ${found}`);
      continue;
    }
    definitions.set(found.name, { ...found, document });
    named.push({ name: found.name, source: document.source });
  }
  if (definitions.size + documents.policyDocuments.length === 0)
    throw new UsageError([...problems, `${path}: holds no CustomResourceDefinition and no policy`].join('; '));
  for (const problem of problems) reportProblem(problem);
  for (const note of sameNameNotes(named)) reportOnStderr(note);
  return { definitions, documents };
}

/**
 * Returns the pairs of definitions of one name, and of the only definitions on both sides even if their names differ. Pairs with equal text
 * are among them, too.
 */
export function pairsOf(
  from: DocumentsState,
  to: DocumentsState,
): readonly { readonly from: NamedDefinition; readonly to: NamedDefinition }[] {
  const [only, ...others] = to.definitions.values();
  const [first, ...more] = from.definitions.values();
  if (only !== undefined && first !== undefined && others.length + more.length === 0) return [{ from: first, to: only }];
  return [...to.definitions.values()].flatMap((one) => {
    const before = from.definitions.get(one.name);
    return before === undefined ? [] : [{ from: before, to: one }];
  });
}

/** Returns the text of a new definition. It is judged with the field validation of the command, as if kubectl applied it. */
export function appliedDefinition(
  { slice }: PlacedDocument,
  { definitionValidation: fieldValidation }: DefinitionSettings,
  options: EvaluationOptions,
): DefinitionText {
  return definitionText({ ...slice, fieldValidation }, serverOf(options));
}

/** Returns the change of a definition from the document of its old state to the document of its new state. */
export function changeBetween(
  from: DocumentSlice,
  to: PlacedDocument,
  command: DefinitionSettings,
  options: EvaluationOptions,
): WrittenChange {
  return { from: definitionText(from, serverOf(options)), to: appliedDefinition(to, command, options), options, written: to };
}

/** Returns the reasons why documents of unknown kind cannot be read. */
function unreadable({ objects, texts }: PlacedDocuments): string[] {
  const types = texts.flatMap(({ types: { names, of } }) => Array.from(of, (place) => names[place] ?? ''));
  return objects.flatMap(({ slice, source }, i) => {
    const [apiVersion = '', kind = ''] = (types[i] ?? '').split(' ');
    if (![apiVersion, kind].some((text) => text === '' || text === 'undefined')) return [];
    if (slice.notation === 'unread') return [`${source}: ${Buffer.from(slice.bytes).toString()}`];
    const reading = readSlice(slice);
    return reading.ok ? [] : [`${source}: ${reading.error}`];
  });
}
