export { LanguageService } from './language-service.ts';
export type { CodeAction, Completion, Diagnostic, Hover, Lens, TextEdit } from './answers/answers.ts';
export type { ExpressionToken } from './answers/expression-edits.ts';
export { TOKEN_TYPES } from './expressions/expression-tokens.ts';
export type { Position, Range } from './open-texts/position.ts';
export { shownMinors } from './answers/answers.ts';
