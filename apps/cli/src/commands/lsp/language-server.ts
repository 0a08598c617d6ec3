import {
  CodeActionKind,
  ErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  MarkupKind,
  SemanticTokensBuilder,
} from 'vscode-languageserver';
import type * as protocol from 'vscode-languageserver';
import type { Connection, InitializeResult } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isMinor, MINORS } from '#kube';
import type { Minor } from '#kube';
import { LanguageService, TOKEN_TYPES } from '#editing/language';
import type { CodeAction, Completion, Diagnostic, ExpressionToken, Hover, Lens } from '#editing/language';

/** Options of the language server. */
export interface LanguageServerOptions {
  /** Minor versions whose verdicts are shown, until the client sets different minor versions. */
  readonly minors: readonly Minor[];
  /** Texts of files that are not open in the editor, by their URIs. These files contain the definitions of the objects that are edited. */
  readonly texts: ReadonlyMap<string, string>;
  readonly version: string;
  /** Reason why the settings file is not used. The editor shows it to the user. Undefined if there is no problem. */
  readonly problem?: string | undefined;
}

/**
 * Serves an editor in the Language Server Protocol over a connection. Diagnostics are published a moment after the last keystroke, one text
 * at a time. Requests that arrive while a text is being checked are answered first.
 */
export function serveLanguage(connection: Connection, { minors, texts, version, problem }: LanguageServerOptions): void {
  const service = new LanguageService(minors);
  for (const [uri, text] of texts) service.setText(uri, text);
  const documents = new TextDocuments(TextDocument);
  const publisher = new Publisher({
    steps: (uri) => service.diagnosticsInSteps(uri),
    advice: (uri) => service.advice(uri),
    publish: (uri, found) =>
      connection.sendDiagnostics({ uri, version: documents.get(uri)?.version, diagnostics: found.map(diagnosticOf) }),
    all: () => documents.keys(),
    failed: (error) => connection.console.error(`internal error: ${error instanceof Error ? error.message : String(error)}`),
  });

  connection.onInitialize(({ initializationOptions }): InitializeResult => {
    service.minors = minorsIn(initializationOptions) ?? service.minors;
    return {
      serverInfo: { name: 'assay', version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['.', '(', ' ', '"', "'"] },
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        documentFormattingProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        semanticTokensProvider: { legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [] }, full: true },
      },
    };
  });
  connection.onInitialized(() => {
    if (problem === undefined) return;
    void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message: `assay: ${problem}` });
  });
  connection.onDidChangeConfiguration(({ settings }) => {
    service.minors = minorsIn((settings as { assay?: unknown } | null)?.assay) ?? service.minors;
    publisher.changed();
  });
  documents.onDidChangeContent(({ document }) => {
    service.setText(document.uri, document.getText());
    publisher.changed(document.uri);
  });
  documents.onDidClose(({ document: { uri } }) => {
    const known = texts.get(uri);
    if (known === undefined) service.close(uri);
    else service.setText(uri, known);
    publisher.closed(uri);
  });
  connection.onHover(({ textDocument, position }) => hoverOf(service.hover(textDocument.uri, position)));
  connection.onCompletion(({ textDocument, position }) => service.completions(textDocument.uri, position).map(completionOf));
  connection.onCodeLens(({ textDocument }) => service.lenses(textDocument.uri).map(codeLensOf));
  connection.onCodeAction(({ textDocument, range }) =>
    service.codeActions(textDocument.uri, range).map((action) => codeActionOf(textDocument.uri, action)),
  );
  connection.onDocumentFormatting(({ textDocument }) => [...service.formatting(textDocument.uri)]);
  connection.onReferences(({ textDocument: { uri }, position }) => service.references(uri, position).map((range) => ({ uri, range })));
  connection.onPrepareRename(({ textDocument, position }) => {
    const renamed = service.renamed(textDocument.uri, position);
    return renamed === undefined ? null : { range: renamed.range, placeholder: renamed.name };
  });
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
    const edits = service.rename(uri, position, newName);
    if ('problem' in edits) return new ResponseError(ErrorCodes.InvalidParams, edits.problem);
    return { changes: { [uri]: [...edits] } };
  });
  connection.languages.semanticTokens.on(({ textDocument }) => semanticTokensOf(service.tokens(textDocument.uri)));
  connection.onShutdown(() => publisher.stop());
  documents.listen(connection);
  connection.listen();
}

/**
 * Returns the minor versions that the settings name, such as `{kubernetesVersions: ["1.30", "1.37"]}`. For the value `all`, returns all
 * supported minor versions. Returns undefined if the settings name no known minor version.
 */
function minorsIn(settings: unknown): readonly Minor[] | undefined {
  const named = (settings as { kubernetesVersions?: unknown } | null | undefined)?.kubernetesVersions;
  if (named === 'all') return MINORS;
  const minors = (Array.isArray(named) ? named : [named]).map(String).filter(isMinor);
  return minors.length === 0 ? undefined : minors;
}

// The next functions convert answers of the language service for the Language Server Protocol.

const SEVERITIES: Readonly<Record<Diagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Converts a diagnostic to the format of the Language Server Protocol, with `assay` as its source. */
function diagnosticOf({ range, severity, message, code }: Diagnostic): protocol.Diagnostic {
  return { range, severity: SEVERITIES[severity], message, source: 'assay', ...(code !== undefined && { code }) };
}

/** Converts a hover text to the format of the Language Server Protocol. Returns null if there is no hover text. */
function hoverOf(hover: Hover | undefined): protocol.Hover | null {
  return hover === undefined ? null : { range: hover.range, contents: { kind: MarkupKind.Markdown, value: hover.text } };
}

const COMPLETION_KINDS: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  method: CompletionItemKind.Method,
  macro: CompletionItemKind.Snippet,
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
};

/**
 * Converts a completion to a completion item of the Language Server Protocol. The item contains the edit that inserts its text.
 *
 * @param index position of the item in the list; it becomes `sortText`, so that clients, which sort by text, keep the order
 */
function completionOf(
  { label, kind, detail, documentation, range, insert, isSnippet }: Completion,
  index: number,
): protocol.CompletionItem {
  return {
    label,
    kind: COMPLETION_KINDS[kind],
    sortText: String(index).padStart(5, '0'),
    textEdit: { range, newText: insert },
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
  };
}

/** Returns a code lens that is shown above a rule. A click on it has no effect. */
function codeLensOf({ range, title, isTooExpensive }: Lens): protocol.CodeLens {
  return { range, command: { title: isTooExpensive ? `✗ ${title}` : title, command: '' } };
}

/** Returns a quick fix that edits one text, as a code action of the Language Server Protocol. `uri` identifies the text. */
function codeActionOf(uri: string, { title, edits }: CodeAction): protocol.CodeAction {
  return { title, kind: CodeActionKind.QuickFix, edit: { changes: { [uri]: edits.map(({ range, newText }) => ({ range, newText })) } } };
}

/** Returns semantic tokens in the form of the protocol: five numbers per token, with positions relative to the previous token. */
function semanticTokensOf(tokens: readonly ExpressionToken[]): protocol.SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { range, type } of tokens) {
    const { line, character } = range.start;
    builder.push(line, character, range.end.character - character, TOKEN_TYPES.indexOf(type), 0);
  }
  return builder.build();
}

/** Functions with which a publisher of diagnostics checks texts, gets advice, sends diagnostics, and lists the open texts. */
interface Publishing {
  /** Checks a text in steps. The generator returns the diagnostics of the text. */
  readonly steps: (uri: string) => Generator<void, readonly Diagnostic[]>;
  /** Returns the advice for a text. It is called only if nobody has typed for a while. */
  readonly advice: (uri: string) => readonly Diagnostic[];
  /** Sends the diagnostics of a text. Resolves when the client has received them. */
  readonly publish: (uri: string, found: readonly Diagnostic[]) => Promise<void>;
  /** Returns the URIs of the open texts. */
  readonly all: () => readonly string[];
  readonly failed: (error: unknown) => void;
}

/**
 * Pause in typing, in ms, after which the changed text is checked. `OTHERS_QUIET_MS` is the pause after which all texts are checked, and
 * advice is added.
 */
const QUIET_MS = 25;
const OTHERS_QUIET_MS = 300;

/**
 * Publisher of diagnostics for changed texts, one text at a time. The check of a text pauses regularly, so that a keystroke can cancel the
 * check of an outdated text. New diagnostics are computed only after the client has received the previous diagnostics.
 */
class Publisher {
  readonly #publishing: Publishing;
  /** URIs of texts whose check is still pending. */
  readonly #waiting = new Set<string>();
  /** URI of the text that changed last. */
  #written: string | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #othersQuiet: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStopped = false;
  /** True if nobody has typed for `OTHERS_QUIET_MS`. */
  #isQuiet = false;
  #turn = 0;

  constructor(publishing: Publishing) {
    this.#publishing = publishing;
  }

  /**
   * Schedules the check of a changed text. Without `uri`, all open texts are checked again, because a change, such as a new setting,
   * affects all of them.
   */
  changed(uri?: string): void {
    this.#turn++;
    this.#isQuiet = false;
    if (uri !== undefined) {
      this.#waiting.add(uri);
      this.#written = uri;
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(() => void this.#run(), QUIET_MS);
    }
    clearTimeout(this.#othersQuiet);
    this.#othersQuiet = setTimeout(
      () => {
        this.#isQuiet = true;
        for (const open of this.#publishing.all()) this.#waiting.add(open);
        void this.#run();
      },
      uri === undefined ? 0 : OTHERS_QUIET_MS,
    );
  }

  /** Removes the diagnostics of a text that was closed. */
  closed(uri: string): void {
    this.#waiting.delete(uri);
    this.#publishing.publish(uri, []).catch(this.#publishing.failed);
    this.changed();
  }

  /** Stops the publisher. No text is checked after this call. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#othersQuiet);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let uri = this.#next(); uri !== undefined; uri = this.#next()) {
        const found = await this.#judge(uri);
        if (found === undefined) {
          // The text changed during the evaluation, so the loop waits and tries again.
          await pause(QUIET_MS);
          continue;
        }
        this.#waiting.delete(uri);
        await this.#publishing.publish(uri, this.#isQuiet ? [...found, ...this.#publishing.advice(uri)] : found);
      }
    } catch (error) {
      this.#waiting.clear();
      this.#publishing.failed(error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Returns the URI of the text to check next. The text that changed last comes first. Returns undefined if no text is left. */
  #next(): string | undefined {
    if (this.#isStopped) return undefined;
    const [first] = this.#waiting;
    return this.#written !== undefined && this.#waiting.has(this.#written) ? this.#written : first;
  }

  /** Checks a text and returns its diagnostics; undefined if texts changed in the meantime. */
  async #judge(uri: string): Promise<readonly Diagnostic[] | undefined> {
    const turn = this.#turn;
    const steps = this.#publishing.steps(uri);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await pause(0);
      if (turn !== this.#turn || this.#isStopped) return undefined;
    }
  }
}

/** Waits for `ms` ms so that the process can handle messages that have arrived from the client. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
