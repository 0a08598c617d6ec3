import { BaseErrorListener, CharStream, CommonTokenStream, Lexer } from 'antlr4ng';
import type { ATNSimulator, RecognitionException, Recognizer, Token } from 'antlr4ng';
import { Issues } from '../issues.ts';
import { Source } from '../source.ts';
import type { Syntax } from '../syntax.ts';
import { CelLexer } from './generated/CelLexer.ts';
import { CelParser } from './generated/CelParser.ts';
import { DepthLimit, LimitedRecovery, ParseStopped } from './recovery-limits.ts';
import { TreeReader } from './tree-reader.ts';

/** Upstream stops after so many syntax errors. */
const REPORTED_ERRORS = 100;

/**
 * The complaints about text that has a syntax error. Their wording, number and places are those of an ANTLR parser with its recovery, so
 * one reads the text again; what it recovered is then read for the complaints that upstream makes of trees. Valid text never comes here.
 */
export function recoveredIssues(text: string, syntax: Syntax): Issues {
  const issues = new Issues(new Source(text));
  const listener = new IssueListener(issues);
  const lexer = new CelLexer(CharStream.fromString(text));
  lexer.removeErrorListeners();
  lexer.addErrorListener(listener);
  const parser = new CelParser(new CommonTokenStream(lexer));
  parser.removeErrorListeners();
  parser.addErrorListener(listener);
  parser.addParseListener(new DepthLimit());
  parser.errorHandler = new LimitedRecovery();
  try {
    new TreeReader(syntax, issues).read(parser.start());
  } catch (stop) {
    if (!(stop instanceof ParseStopped)) throw stop;
    if (stop.report !== undefined) issues.report(undefined, stop.report);
  }
  return issues;
}

class IssueListener extends BaseErrorListener {
  private readonly issues: Issues;
  private reported = 0;

  constructor(issues: Issues) {
    super();
    this.issues = issues;
  }

  override syntaxError<S extends Token, T extends ATNSimulator>(
    recognizer: Recognizer<T>,
    _symbol: S | null,
    line: number,
    column: number,
    message: string,
    _error: RecognitionException | null,
  ): void {
    const location = { line, column };
    if (this.reported++ >= REPORTED_ERRORS) {
      this.issues.reportAt(location, `Syntax error: More than ${REPORTED_ERRORS} syntax errors`);
      throw new ParseStopped();
    }
    this.issues.reportAt(location, `Syntax error: ${worded(recognizer, message)}`);
  }
}

/** Upstream's words where they differ from the runtime's: its lexer shows the text as it is, and keywords after a dot are called mismatched. */
function worded(recognizer: unknown, message: string): string {
  if (recognizer instanceof Lexer) {
    const text = recognizer.inputStream.getTextFromRange(recognizer.tokenStartCharIndex, recognizer.inputStream.index);
    return `token recognition error at: '${text}'`;
  }
  return message.replace(/no viable alternative at input '.(true|false|null)'/, "mismatched input '$1' expecting IDENTIFIER");
}
