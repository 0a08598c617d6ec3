import { Document, Scalar, visit } from 'yaml';
import { canCommand, escapedInQuotes } from '#report';

/**
 * Options of the YAML writer. With `yaml-1.1`, the writer quotes words such as `yes` and `on`. YAML readers in Go parse these words as
 * booleans if they are unquoted. Double-quoted texts are written in one line.
 */
const YAML_FORM = { lineWidth: 140, compat: 'yaml-1.1', doubleQuotedAsJSON: true } as const;

/**
 * Returns a JSON value as YAML that commands neither a terminal nor a CI system. A key or text that could do so stands between double
 * quotes in one line, with escapes, so that a parser returns the value unchanged.
 */
export function yamlText(value: unknown): string {
  const document = new Document(JSON.parse(JSON.stringify(value)), YAML_FORM);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && canCommand(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapedInQuotes(document.toString(YAML_FORM));
}
