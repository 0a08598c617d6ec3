/** Characters that begin no token of YAML. */
const NO_TOKEN = /^[@`%\t]/;

/**
 * The text that go-yaml has for an error of the parser, as far as the two see the same mistake.
 *
 * @param reason the parser's own words
 * @param line where it noticed, from 1
 * @param rest the document from there
 * @param whole the text of that line
 */
export function goYamlError(reason: string, line: number, rest: string, whole: string): string {
  const at = (text: string, offset = 0): string => `line ${line + offset}: ${text}`;
  if (reason.startsWith('unexpected end of the stream within a')) return at('found unexpected end of stream');
  if (reason.startsWith('can not read a block mapping entry')) return at("could not find expected ':'");
  if (reason.startsWith("expected ':' after a mapping key")) return at("could not find expected ':'", 1);
  if (/^ +\t/.test(whole) && /indentation|separator/.test(reason)) return at('found character that cannot start any token');
  if (NO_TOKEN.test(rest)) {
    return at(rest.startsWith('\t') ? 'found a tab character that violates indentation' : 'found character that cannot start any token');
  }
  if (reason.startsWith('tab characters must not be used')) return at('found a tab character that violates indentation');
  if (reason.startsWith('bad indentation of a mapping entry')) {
    return rest.startsWith(':') ? at('mapping values are not allowed in this context') : at('did not find expected key', -1);
  }
  if (reason.startsWith('end of the stream or a document separator')) return at('mapping values are not allowed in this context');
  return at(reason);
}
