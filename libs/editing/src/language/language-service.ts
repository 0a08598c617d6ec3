import type { CancellationToken, JsonObject } from '#go';
import { LATEST_MINOR, MINORS, versionOf } from '#kube';
import type { Minor, Status } from '#kube';
import type { CodeAction, Completion, Diagnostic, Hover, Lens, TextEdit } from './answers/answers.ts';
import { actionsAt } from './answers/code-actions.ts';
import { complete } from './answers/complete.ts';
import { renameAt, renamedAt, spacingOf, expressionTokensOf } from './answers/expression-edits.ts';
import type { ExpressionToken } from './answers/expression-edits.ts';
import { referencesAt } from './answers/field-references.ts';
import { GatheredDiagnostics } from './answers/gather-diagnostics.ts';
import { goDiagnostics } from './go/go-diagnostics.ts';
import { hoverAt } from './answers/hover.ts';
import { lensesOf } from './answers/lenses.ts';
import type { Position, Range } from './open-texts/position.ts';
import type { PlacedPart } from './open-texts/text-document.ts';
import { objectsOf, Workspace } from './open-texts/workspace.ts';
import type { WrittenObject } from './open-texts/workspace.ts';
import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { Cancelled } from '#go';
import { checkTypes, readValidatingPolicy, reviewPolicy, Unreadable } from '#policy';
import type { TypeCheckingServer } from '#policy';
import type { TypeWarning } from '../findings/type-warnings.ts';

/** Maximum length of a text, in UTF-16 code units. For a longer text, the only diagnostic is that the text is too long. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Language service that editors query about open texts. A text contains definitions, objects and admission policies in YAML or JSON, or is
 * Go source with rules in comments. Parameters and results are plain data, with positions as in the Language Server Protocol. Texts are
 * kept until they are closed, and compiled rules are reused for the next state of a text.
 */
export class LanguageService {
  readonly #workspace = new Workspace();
  readonly #tooLong = new Map<string, number>();
  /** Go sources by URI. Only the rule markers in them are checked. */
  readonly #goSources = new Map<string, string>();
  #minors: readonly Minor[];

  /** @param minors Kubernetes minor versions for which the texts are validated; completion and hover use the oldest one */
  constructor(minors: readonly Minor[] = [LATEST_MINOR]) {
    this.#minors = inOrder(minors);
  }

  get minors(): readonly Minor[] {
    return this.#minors;
  }

  /** Selects the Kubernetes minor versions for which the texts are validated. */
  set minors(minors: readonly Minor[]) {
    this.#minors = inOrder(minors);
  }

  /** URIs of all open texts. */
  get uris(): readonly string[] {
    return [...new Set([...this.#workspace.uris, ...this.#goSources.keys(), ...this.#tooLong.keys()])];
  }

  /** Returns the text of an open document. Returns undefined if the document is not open or is too long. */
  textOf(uri: string): string | undefined {
    return this.#goSources.get(uri) ?? this.#workspace.document(uri)?.text;
  }

  /** Opens a text or replaces its content. The text is parsed but not validated. */
  setText(uri: string, text: string): void {
    this.#forget(uri);
    if (text.length <= MAX_TEXT) {
      if (isGo(uri)) this.#goSources.set(uri, text);
      else this.#workspace.set(uri, text);
      return;
    }
    this.#workspace.delete(uri);
    this.#tooLong.set(uri, text.length);
  }

  close(uri: string): void {
    this.#workspace.delete(uri);
    this.#forget(uri);
  }

  /** Returns the diagnostics of a text, without advice. */
  diagnostics(uri: string, token?: CancellationToken): Diagnostic[] {
    const steps = this.diagnosticsInSteps(uri, token);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /**
   * Returns the same diagnostics as {@link diagnostics}, through a generator that yields after each document and Kubernetes minor version.
   * After each yield, the caller can do other work or stop.
   *
   * @param token cancels the validation of a single object, which then throws `Cancelled`
   */
  *diagnosticsInSteps(uri: string, token?: CancellationToken): Generator<void, Diagnostic[]> {
    const length = this.#tooLong.get(uri);
    if (length !== undefined) return [tooLong(length)];
    const source = this.#goSources.get(uri);
    if (source !== undefined) return goDiagnostics(source, this.#minors);
    const document = this.#workspace.document(uri);
    if (document === undefined) return [];
    const gathered = new GatheredDiagnostics(document, this.#minors);
    for (const part of document.parts) {
      gathered.addSyntaxError(part);
      for (const minor of this.#minors)
        for (const written of objectsOf(part.part.object)) {
          const findings = this.#judge(part, written, minor, token);
          if (findings === undefined) continue;
          // A server checks the types only in a policy that it accepts.
          const isTyped = findings.status === undefined && written.item === undefined;
          const typeChecking = isTyped ? typeWarnings(written.object, () => this.#workspace.typeChecking(minor)) : [];
          gathered.add(part, minor, { ...findings, typeChecking }, written.item);
          yield;
        }
    }
    return gathered.all;
  }

  /**
   * Returns advice on the rules of definitions that the newest selected Kubernetes minor version accepts. It is separate from {@link
   * diagnostics} because it takes about as long as the diagnostics, and typing should not be delayed by it.
   */
  advice(uri: string): readonly Diagnostic[] {
    const document = this.#workspace.document(uri);
    const latest = this.#minors.at(-1);
    if (document === undefined || latest === undefined) return [];
    const gathered = new GatheredDiagnostics(document, this.#minors);
    for (const part of document.parts) {
      const analysis = this.#workspace.definition(part)?.analysis(latest);
      // Shows advice only for accepted definitions, because users mend errors first.
      if (analysis?.verdict.accepted === true) gathered.addAdvice(part, analysis.advice());
    }
    return gathered.all;
  }

  /** Returns the explanation of the text at a position; undefined if there is none. */
  hover(uri: string, position: Position): Hover | undefined {
    const document = this.#workspace.document(uri);
    return document && hoverAt(document, position, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** Returns the completions at a position. */
  completions(uri: string, position: Position): readonly Completion[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : complete(document, position, { workspace: this.#workspace, minor: this.#oldest });
  }

  /**
   * Returns one lens for each rule that compiles: a line above the rule, which shows the rule's cost in the oldest selected Kubernetes
   * minor version.
   */
  lenses(uri: string): readonly Lens[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : lensesOf(document, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** Returns the actions for the rule or value at the beginning of a range. */
  codeActions(uri: string, range: Range): readonly CodeAction[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : actionsAt(document, range, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** Returns the tokens of all expressions of a text, in text order. */
  tokens(uri: string): readonly ExpressionToken[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : expressionTokensOf(document);
  }

  /** Returns the edits that normalize the spaces in all expressions of a text. */
  formatting(uri: string): readonly TextEdit[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : spacingOf(document);
  }

  /** Returns the ranges that name the macro variable or schema field at a position. The declaration comes first. */
  references(uri: string, position: Position): readonly Range[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : referencesAt(document, position, { workspace: this.#workspace, minor: this.#oldest });
  }

  /**
   * Returns the name at a position and its range if the name can be renamed. Only variables of macros can be renamed. Undefined for all
   * other texts.
   */
  renamed(uri: string, position: Position): { readonly range: Range; readonly name: string } | undefined {
    const document = this.#workspace.document(uri);
    return document && renamedAt(document, position);
  }

  /**
   * Returns the edits that rename the macro variable at a position. Returns a sentence with the problem if the variable cannot have the new
   * name.
   */
  rename(uri: string, position: Position, to: string): readonly TextEdit[] | { readonly problem: string } {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : renameAt(document, position, to);
  }

  /** Returns the number of expressions that were compiled for the definitions of a text, over all its states (the text after each edit). */
  compilations(uri: string): number {
    const parts = this.#workspace.document(uri)?.parts ?? [];
    return parts.reduce((sum, part) => sum + (this.#workspace.definition(part)?.compilations ?? 0), 0);
  }

  #forget(uri: string): void {
    this.#goSources.delete(uri);
    this.#tooLong.delete(uri);
  }

  get #oldest(): Minor {
    return this.#minors[0] as Minor;
  }

  #judge(part: PlacedPart, written: WrittenObject, minor: Minor, token: CancellationToken | undefined): WriteFindings | undefined {
    const own = written.item === undefined ? this.#workspace.definition(part) : undefined;
    if (own !== undefined) return own.analysis(minor).verdict;
    const { object, apiVersion, kind } = written;
    const definition = this.#workspace.definitionOf(apiVersion, kind)?.compiled(minor);
    const body = written.item === undefined ? part.part.body : object;
    if (definition !== undefined) return judgeObject(definition, body, versionOf(apiVersion), token);
    return judgePolicy(object, minor, token);
  }
}

const isGo = (uri: string): boolean => uri.endsWith('.go');

const inOrder = (minors: readonly Minor[]): readonly Minor[] =>
  minors.length === 0 ? [LATEST_MINOR] : MINORS.filter((minor) => minors.includes(minor));

const START = { line: 0, character: 0 };
const tooLong = (length: number): Diagnostic => ({
  range: { start: START, end: START },
  severity: 'warning',
  message: `the text is not looked at: it has ${length} characters, and ${MAX_TEXT} are the most`,
});

/** Status and warnings with which a server answers a create or update request. An editor shows them as diagnostics. */
interface WriteFindings {
  readonly status: Status | undefined;
  readonly warnings: readonly string[];
}

/**
 * Validates the creation of an object against its definition, with strict field validation. Throws `Cancelled` if the token is cancelled.
 */
function judgeObject(definition: CompiledDefinition, body: JsonObject | string, version: string, token?: CancellationToken): WriteFindings {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, version, fieldValidation: 'Strict', ownedFields: 'takenOff' },
    { ...(token && { token }) },
  );
  if ('cancelled' in verdict) throw new Cancelled();
  return { status: verdict.accepted ? undefined : verdict.status, warnings: verdict.warnings };
}

/**
 * Returns the warnings that a server writes to `status.typeChecking` of a validating policy. Returns an empty list for other objects and
 * for unreadable policies. `server` is called only for policies, because it reads all schemas, which takes time.
 */
function typeWarnings(object: JsonObject, server: () => TypeCheckingServer): readonly TypeWarning[] {
  if (object['kind'] !== 'ValidatingAdmissionPolicy') return [];
  try {
    const { warnings } = checkTypes(readValidatingPolicy(object), server());
    return warnings.map(({ fieldRef, warning, suggestions }) => ({ fieldRef, warning, suggestions }));
  } catch (thrown) {
    if (thrown instanceof Unreadable) return [];
    throw thrown;
  }
}

/**
 * Validates an admission policy or binding as a new object. Returns the Status of a refusal and the warnings. Returns undefined for other
 * kinds of objects. Throws `Cancelled` if the token is cancelled.
 */
function judgePolicy(object: JsonObject, minor: Minor, token?: CancellationToken): WriteFindings | undefined {
  if (!String(object['apiVersion']).startsWith('admissionregistration.k8s.io/')) return undefined;
  const review = reviewPolicy(object, { minor, ...(token && { token }) });
  return review && { status: review.refusal, warnings: review.warnings };
}
