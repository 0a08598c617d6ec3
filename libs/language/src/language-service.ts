import type { CancellationToken } from '#go';
import { LATEST_MINOR, MINORS, versionOf } from '#kube';
import type { Minor } from '#kube';
import type { CodeAction, Completion, Diagnostic, Hover, Lens, TextEdit } from './answers.ts';
import { actionsAt } from './code-actions.ts';
import { complete } from './complete.ts';
import { renameAt, renamedAt, spacingOf, tokensOf } from './expression-edits.ts';
import type { ExpressionToken } from './expression-edits.ts';
import { referencesAt } from './field-references.ts';
import { GatheredDiagnostics } from './gather-diagnostics.ts';
import { goDiagnostics } from './go/go-diagnostics.ts';
import { hoverAt } from './hover.ts';
import { judgeObject, judgePolicy, typeWarnings } from './judge-part.ts';
import type { WriteFindings } from './judge-part.ts';
import { lensesOf } from './lenses.ts';
import type { Position, Range } from './position.ts';
import type { PlacedPart } from './text-document.ts';
import { objectsOf, Workspace } from './workspace.ts';
import type { WrittenObject } from './workspace.ts';

/** Longest text that is looked at, in UTF-16 code units; of longer ones is said that they are too long. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Answers editors about texts with definitions, objects and admission policies, in YAML or JSON, and about Go sources whose comments declare rules. Takes and returns
 * plain data, with places as in the Language Server Protocol. Keeps texts until they are closed, and compiled rules for the next state of a text.
 */
export class LanguageService {
  readonly #workspace = new Workspace();
  readonly #tooLong = new Map<string, number>();
  /** Go sources, of which only the markers of rules are looked at. */
  readonly #goSources = new Map<string, string>();
  #minors: readonly Minor[];

  /** @param minors whose verdicts are wanted; completion and hover speak of the oldest */
  constructor(minors: readonly Minor[] = [LATEST_MINOR]) {
    this.#minors = inOrder(minors);
  }

  get minors(): readonly Minor[] {
    return this.#minors;
  }

  /** Chooses other minors. */
  set minors(minors: readonly Minor[]) {
    this.#minors = inOrder(minors);
  }

  /** The texts that are open. */
  get uris(): readonly string[] {
    return [...new Set([...this.#workspace.uris, ...this.#goSources.keys(), ...this.#tooLong.keys()])];
  }

  /** Returns the known text of a document. */
  textOf(uri: string): string | undefined {
    return this.#goSources.get(uri) ?? this.#workspace.document(uri)?.text;
  }

  /** Opens or replaces a text. Reads it, and judges nothing yet. */
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

  /** Returns the problems of a text. */
  diagnostics(uri: string, token?: CancellationToken): Diagnostic[] {
    const steps = this.diagnosticsInSteps(uri, token);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /**
   * Does as {@link diagnostics}, with a yield after each document and minor, so that the caller can do other things between them, or give up.
   *
   * @param token ends the judgement of a single object, which then throws `Cancelled`
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
          gathered.add(part, minor, findings, written.item);
          // A policy that is refused has no status.
          if (findings.status === undefined && written.item === undefined)
            for (const warning of typeWarnings(written.object, () => this.#workspace.typeChecking(minor)))
              gathered.addTypeWarning(part, minor, warning);
          yield;
        }
    }
    return gathered.all;
  }

  /** Advice on the rules of definitions that are in order: it takes about as long as judging them, and nobody who types waits for it. */
  advice(uri: string): readonly Diagnostic[] {
    const document = this.#workspace.document(uri);
    const latest = this.#minors.at(-1);
    if (document === undefined || latest === undefined) return [];
    const gathered = new GatheredDiagnostics(document, this.#minors);
    for (const part of document.parts) {
      const analysis = this.#workspace.definition(part)?.analysis(latest);
      // While something is wrong, that is what is being written about.
      if (analysis?.verdict.accepted === true) gathered.addAdvice(part, analysis.advice());
    }
    return gathered.all;
  }

  /** Returns the explanation of a place. */
  hover(uri: string, position: Position): Hover | undefined {
    const document = this.#workspace.document(uri);
    return document && hoverAt(document, position, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** Returns the completions at a place. */
  completions(uri: string, position: Position): readonly Completion[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : complete(document, position, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** A line for each rule: what it costs, by the oldest minor. */
  lenses(uri: string): readonly Lens[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : lensesOf(document, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** Returns the actions for the rules and values in a range. */
  codeActions(uri: string, range: Range): readonly CodeAction[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : actionsAt(document, range, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** The tokens of all expressions of a text, in its order. */
  tokens(uri: string): readonly ExpressionToken[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : tokensOf(document);
  }

  /** The edits that space all expressions of a text evenly. */
  formatting(uri: string): readonly TextEdit[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : spacingOf(document);
  }

  /** Returns the ranges that name the variable of a macro, or the field of a schema, at a position; the declaration first. */
  references(uri: string, position: Position): readonly Range[] {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : referencesAt(document, position, { workspace: this.#workspace, minor: this.#oldest });
  }

  /** The name at a position where it can be renamed: that of a macro's variable. */
  renamed(uri: string, position: Position): { readonly range: Range; readonly name: string } | undefined {
    const document = this.#workspace.document(uri);
    return document && renamedAt(document, position);
  }

  /** Returns the edits that rename the variable or field at a position; a sentence if it cannot have the new name. */
  rename(uri: string, position: Position, to: string): readonly TextEdit[] | { readonly problem: string } {
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : renameAt(document, position, to);
  }

  /** Returns the number of expressions that were compiled for the definitions of a text, over all its states. */
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
