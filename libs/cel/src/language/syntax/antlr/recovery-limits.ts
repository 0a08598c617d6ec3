import { DefaultErrorStrategy } from 'antlr4ng';
import type { Parser, ParserRuleContext, RecognitionException, Token } from 'antlr4ng';

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
export class ParseStopped extends Error {
  readonly report: string | undefined;
  constructor(report?: string) {
    super(report ?? 'stopped');
    this.report = report;
  }
}

/**
 * ANTLR's default error strategy with two limits of cel-go: on the number of recovery attempts, and on the tokens that one attempt skips.
 */
export class LimitedRecovery extends DefaultErrorStrategy {
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
export class DepthLimit {
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
