import { isMinor, MINORS } from '#kube';
import type { Minor } from '#kube';
import { LanguageService, TOKEN_TYPES } from '#editing/language';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  CodeActionKind,
  ErrorCodes,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import type { Connection, InitializeResult } from 'vscode-languageserver';
import { codeActionOf, codeLensOf, completionOf, diagnosticOf, hoverOf, semanticTokensOf } from './protocol-forms.ts';
import { Publisher } from './publisher.ts';

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
