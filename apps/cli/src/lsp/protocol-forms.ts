import { TOKEN_TYPES } from '#editing/language';
import type { CodeAction, Completion, Diagnostic, ExpressionToken, Hover, Lens } from '#editing/language';
import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  MarkupKind,
  SemanticTokensBuilder,
} from 'vscode-languageserver';
import type * as protocol from 'vscode-languageserver';

// What the language service answers, in the forms of the Language Server Protocol.

const SEVERITIES: Readonly<Record<Diagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Converts a diagnostic to the format of the Language Server Protocol, with `assay` as its source. */
export function diagnosticOf({ range, severity, message, code }: Diagnostic): protocol.Diagnostic {
  return { range, severity: SEVERITIES[severity], message, source: 'assay', ...(code !== undefined && { code }) };
}

/** Converts a hover text to the format of the Language Server Protocol. Returns null if there is no hover text. */
export function hoverOf(hover: Hover | undefined): protocol.Hover | null {
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
export function completionOf(
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
export function codeLensOf({ range, title, isTooDear }: Lens): protocol.CodeLens {
  return { range, command: { title: isTooDear ? `✗ ${title}` : title, command: '' } };
}

/** Returns a quick fix that edits one text, as a code action of the Language Server Protocol. `uri` identifies the text. */
export function codeActionOf(uri: string, { title, edits }: CodeAction): protocol.CodeAction {
  return { title, kind: CodeActionKind.QuickFix, edit: { changes: { [uri]: edits.map(({ range, newText }) => ({ range, newText })) } } };
}

/** Returns semantic tokens in the form of the protocol: five numbers per token, with positions relative to the previous token. */
export function semanticTokensOf(tokens: readonly ExpressionToken[]): protocol.SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { range, type } of tokens) {
    const { line, character } = range.start;
    builder.push(line, character, range.end.character - character, TOKEN_TYPES.indexOf(type), 0);
  }
  return builder.build();
}
