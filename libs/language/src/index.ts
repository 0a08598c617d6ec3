export { LanguageService } from './language-service.ts';
export type { CodeAction, Completion, Diagnostic, Hover, Lens, TextEdit } from './answers.ts';
export type { Position, Range } from './position.ts';
export { shownMinors } from './shown-minors.ts';
