export { LanguageService } from './language-service.ts';
export type { CodeAction, Completion, Diagnostic, Hover, Lens, TextEdit } from './answers.ts';
export type { ExpressionToken } from './expression-edits.ts';
export { TOKEN_TYPES } from './expressions/expression-tokens.ts';
export type { Position, Range } from './position.ts';
export { shownMinors } from './shown-minors.ts';
