import { BaseErrorListener, CharStream, CommonTokenStream, Lexer, DefaultErrorStrategy } from 'antlr4ng';
import type { ATNSimulator, Recognizer, Token, Parser, ParserRuleContext, RecognitionException } from 'antlr4ng';
import { Issues } from '../issues.ts';
import { Source } from '../source.ts';
import type { AskableSyntax } from '../syntax.ts';
import { CelLexer } from './generated/CelLexer.ts';
import { CelParser } from './generated/CelParser.ts';
import { TreeReader } from './tree-reader.ts';

/**
 * Limits of upstream's error recovery: the maximum number of recovery attempts in one parse, and the maximum number of tokens that one
 * attempt skips. Source: cel-go parser/parser.go (v0.29.2).
 */
const RECOVERY_ATTEMPTS = 30;
const RECOVERY_TOKENS = 256;
/** Maximum nesting depth of one grammar rule. */
const RULE_DEPTH = 250;

/**
 * Error that ends the parse. `report` is an error message that must still be reported, without a position. If `report` is undefined, the
 * error has already been reported to the listener.
 */
class ParseStopped extends Error {
  readonly report: string | undefined;
  constructor(report?: string) {
    super(report ?? 'stopped');
    this.report = report;
  }
}

/**
 * ANTLR's default error strategy with two limits of cel-go: on the number of recovery attempts, and on the tokens that one attempt skips.
 */
class LimitedRecovery extends DefaultErrorStrategy {
  #attempts = 0;

  override recover(parser: Parser, error: RecognitionException): void {
    this.#countAttempt(parser);
    this.#countingTokens(parser, () => super.recover(parser, error));
  }

  override recoverInline(parser: Parser): Token {
    this.#countAttempt(parser);
    return this.#countingTokens(parser, () => super.recoverInline(parser));
  }

  #countAttempt(parser: Parser): void {
    if (this.#attempts++ < RECOVERY_ATTEMPTS) return;
    parser.notifyErrorListeners(`error recovery attempt limit exceeded: ${RECOVERY_ATTEMPTS}`, null, null);
    throw new ParseStopped();
  }

  /** Runs one recovery attempt and counts the tokens that the parser skips. Throws if the count exceeds the limit. */
  #countingTokens<T>(parser: Parser, recover: () => T): T {
    const consume = parser.consume.bind(parser);
    let tokens = 0;
    parser.consume = () => {
      if (tokens++ >= RECOVERY_TOKENS) throw new ParseStopped(`error recovery token lookahead limit exceeded: ${RECOVERY_TOKENS}`);
      return consume();
    };
    try {
      return recover();
    } finally {
      parser.consume = consume;
    }
  }
}

/** Listener that stops the parse if one grammar rule is nested in itself more than `RULE_DEPTH` times. */
class DepthLimit {
  readonly #depths = new Map<number, number>();

  enterEveryRule(context: ParserRuleContext): void {
    const depth = (this.#depths.get(context.ruleIndex) ?? 0) + 1;
    this.#depths.set(context.ruleIndex, depth);
    if (depth > RULE_DEPTH) throw new ParseStopped(`expression recursion limit exceeded: ${RULE_DEPTH}`);
  }

  exitEveryRule(context: ParserRuleContext): void {
    const depth = this.#depths.get(context.ruleIndex) ?? 0;
    if (depth > 0) this.#depths.set(context.ruleIndex, depth - 1);
  }

  visitTerminal(): void {}
  visitErrorNode(): void {}
}

/** Number of syntax errors after which upstream stops. */
const REPORTED_ERRORS = 100;

/**
 * Returns the errors of a text that has a syntax error. Their wording, number and positions depend on ANTLR's error recovery. Therefore, an
 * ANTLR parser parses the text again. The syntax tree that its recovery produces is then searched for the errors that upstream finds in
 * trees. This function must not be called for valid text.
 */
export function recoveredIssues(text: string, syntax: AskableSyntax): Issues {
  const issues = new Issues(new Source(text));
  const backTick = syntax.lacksBackTicks === true ? unusedCharacter(text) : '`';
  const listener = new IssueListener(issues, (message) =>
    syntax.lacksBackTicks === true ? formatted(withoutEscapes(message).replaceAll(backTick, '`')) : message,
  );
  const lexer = new CelLexer(CharStream.fromString(text.replaceAll('`', backTick)));
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
  readonly #issues: Issues;
  readonly #reworded: (message: string) => string;
  #reported = 0;

  constructor(issues: Issues, reworded: (message: string) => string) {
    super();
    this.#issues = issues;
    this.#reworded = reworded;
  }

  override syntaxError(recognizer: Recognizer<ATNSimulator>, _symbol: Token | null, line: number, column: number, message: string): void {
    const location = { line, column };
    if (this.#reported++ >= REPORTED_ERRORS) {
      this.#issues.reportAt(location, `Syntax error: More than ${REPORTED_ERRORS} syntax errors`);
      throw new ParseStopped();
    }
    this.#issues.reportAt(location, this.#reworded(`Syntax error: ${worded(recognizer, message)}`));
  }
}

/**
 * Returns upstream's wording for a message of the ANTLR runtime. In lexer errors, upstream prints the rejected text unchanged. `true`,
 * `false` or `null` after a dot is reported as mismatched input.
 */
function worded(recognizer: unknown, message: string): string {
  if (recognizer instanceof Lexer) {
    const text = recognizer.inputStream.getTextFromRange(recognizer.tokenStartCharIndex, recognizer.inputStream.index);
    return `token recognition error at: '${text}'`;
  }
  return message.replace(/no viable alternative at input '.(true|false|null)'/, "mismatched input '$1' expecting IDENTIFIER");
}

/**
 * Returns a character that does not occur in the text and with which no token starts. The character replaces back-ticks if the grammar has
 * no back-ticks.
 */
function unusedCharacter(text: string): string {
  let unit = 0xe000;
  while (text.includes(String.fromCharCode(unit))) unit++;
  return String.fromCharCode(unit);
}

/** Returns a message without back-ticked identifiers among the expected tokens, for Kubernetes minor versions whose grammar lacks them. */
function withoutEscapes(message: string): string {
  const at = message.lastIndexOf(' expecting ');
  if (at < 0) return message;
  // In grammars with a single identifier token, the parser inserts a missing identifier at the end of the text and continues.
  const missing = /mismatched input ('<EOF>') expecting \{IDENTIFIER, ESC_IDENTIFIER\}$/.exec(message);
  if (missing !== null) return message.replace(missing[0], `missing IDENTIFIER at ${missing[1]}`);
  return message.slice(0, at) + message.slice(at).replace(', ESC_IDENTIFIER', '').replace('{IDENTIFIER}', 'IDENTIFIER');
}

/** Formats a text like Go's `fmt.Sprintf` does if it is called without arguments. */
function formatted(text: string): string {
  return text.replace(/%[-+# 0]*\d*(?:\.\d*)?(.|$)/gsu, (_, verb: string) => {
    if (verb === '%') return '%';
    return verb === '' ? '%!(NOVERB)' : `%!${verb}(MISSING)`;
  });
}
