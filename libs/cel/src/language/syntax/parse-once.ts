import { answersAlike, RecordingSyntax } from './recording-syntax.ts';
import { parseExpression } from './parser.ts';
import { EXPRESSION_WORK } from '../../work-done.ts';
import type { ParseResult } from './parser.ts';
import type { Syntax } from './syntax.ts';

/** Maximum total length, in UTF-16 code units, of the texts whose trees are cached. A tree takes some hundred times the memory of its text. */
const KEPT_UNITS = 128_000;

/** A cached tree of a text, with the values of the syntax properties on which the tree depends. */
interface ParsedForm {
  readonly answers: RecordingSyntax['answers'];
  readonly result: ParseResult;
}

/**
 * Cache of recently parsed trees, by text. The order of the texts is the order of their last use. If the cache exceeds {@link KEPT_UNITS},
 * the texts that were not used for the longest time are deleted. A tree depends only on the text and the syntax.
 */
const parsed = new Map<string, ParsedForm[]>();
let units = 0;

function keep(text: string, form: ParsedForm): void {
  const forms = parsed.get(text);
  if (forms === undefined) parsed.set(text, [form]);
  else forms.push(form);
  units += text.length;
  for (const [oldest, { length }] of parsed) {
    if (units <= KEPT_UNITS) break;
    parsed.delete(oldest);
    units -= oldest.length * length;
  }
}

/**
 * Parses the text of an expression, or returns a cached tree of the same text. The cache is useful because each Kubernetes minor version
 * compiles a rule twice: as a new and as a stored expression. In addition, definitions repeat rules in each version and at many nodes. A
 * cached tree is used for another syntax only if the two syntaxes have the same values of all properties that the parser read. Trees never
 * change. Errors are not cached.
 */
export function parseOnce(text: string, syntax: Syntax): ParseResult {
  const forms = parsed.get(text);
  const known = forms?.find(({ answers }) => answersAlike(syntax, answers));
  if (forms !== undefined && known !== undefined) {
    parsed.delete(text);
    parsed.set(text, forms);
    return known.result;
  }
  EXPRESSION_WORK.parsed++;
  const recording = new RecordingSyntax(syntax);
  const result = parseExpression(text, recording);
  if (result.ok) keep(text, { answers: recording.answers, result });
  return result;
}
