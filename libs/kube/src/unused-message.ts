/**
 * Returns the reason for which a server passes over the text that a messageExpression returned. Returns undefined if it uses the text. The
 * text must be without white space at its ends. Source: k8s.io/apiserver/pkg/admission/plugin/policy/validating/validator.go,
 * apiextensions-apiserver pkg/apiserver/schema/cel/validation.go (1.37).
 *
 * @param bytes length of the text in bytes of UTF-8
 */
export function unusedMessage(text: string, bytes: number): string | undefined {
  if (text === '') return 'its value is empty';
  if (text.includes('\n')) return 'its value has several lines';
  return bytes > MESSAGE_BYTES ? `its value is longer than ${MESSAGE_BYTES} bytes` : undefined;
}

/**
 * Maximum size of the message that a message expression returns, in bytes. Source: k8s.io/apiserver/pkg/apis/cel/config.go
 * `MaxEvaluatedMessageExpressionSizeBytes` (1.37).
 */
const MESSAGE_BYTES = 5 * 1024;

/**
 * Returns a note, in the words of Assay, about a messageExpression without effect. The server uses another message without a word about it.
 *
 * @param owner rule or validation of the expression
 */
export const messageNote = (owner: string, why: string): string =>
  `the messageExpression of ${owner} has no effect, and the server shows another message without a word about it: ${why}`;
