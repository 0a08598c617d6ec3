import { TOKEN_TYPES } from '#language';
import type { CodeAction, Completion, Diagnostic, ExpressionToken, Hover, Lens } from '#language';
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

/** Returns a diagnostic, with Assay named as who says it. */
export function diagnosticOf({ range, severity, message, code }: Diagnostic): protocol.Diagnostic {
  return { range, severity: SEVERITIES[severity], message, source: 'assay', ...(code !== undefined && { code }) };
}

/** Returns the explanation of a place; null if there is none. */
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
 * Something that can be written, as an edit of its own.
 *
 * @param index what comes first here shall come first there, which sorts by text
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

/** Returns a line above a rule; it does nothing when it is clicked. */
export function codeLensOf({ range, title, isTooDear }: Lens): protocol.CodeLens {
  return { range, command: { title: isTooDear ? `✗ ${title}` : title, command: '' } };
}

/** Returns a quick fix of one text. */
export function codeActionOf(uri: string, { title, edits }: CodeAction): protocol.CodeAction {
  return { title, kind: CodeActionKind.QuickFix, edit: { changes: { [uri]: edits.map(({ range, newText }) => ({ range, newText })) } } };
}

/** Tokens as the protocol sends them: five numbers each, the place counted from the token before. */
export function semanticTokensOf(tokens: readonly ExpressionToken[]): protocol.SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { range, type } of tokens) {
    const { line, character } = range.start;
    builder.push(line, character, range.end.character - character, TOKEN_TYPES.indexOf(type), 0);
  }
  return builder.build();
}
