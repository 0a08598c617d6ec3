import { EXPRESSION_WORK } from '../../work-done.ts';
import { parseExpression } from './parser.ts';
import type { ParseResult } from './parser.ts';
import type { AskableSyntax, Macro, ReusedNode, Syntax } from './syntax.ts';

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

/**
 * One property of a syntax that the parser read, with its value. The property is a flag, the macro with the key `key`, or the information
 * whether a node is reused.
 */
type Answer =
  | { readonly query: Exclude<keyof Syntax, 'macros' | 'reuses'>; readonly answer: boolean | undefined }
  | { readonly query: 'macros'; readonly key: string; readonly answer: Macro | undefined }
  | { readonly query: 'reuses'; readonly key: ReusedNode; readonly answer: boolean };

/**
 * Syntax (settings of the parser) that records which of its properties the parser reads. Two syntaxes with the same values of these
 * properties can share the parsed tree.
 */
export class RecordingSyntax implements AskableSyntax {
  readonly #syntax: Syntax;
  readonly #answers: Answer[] = [];
  readonly macros: AskableSyntax['macros'];
  readonly reuses: NonNullable<AskableSyntax['reuses']>;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
    this.macros = {
      get: (key) => {
        const answer = syntax.macros.get(key);
        this.#note({ query: 'macros', key, answer });
        return answer;
      },
    };
    this.reuses = {
      has: (key) => {
        const answer = syntax.reuses?.has(key) === true;
        this.#note({ query: 'reuses', key, answer });
        return answer;
      },
    };
  }

  get answers(): readonly Answer[] {
    return this.#answers;
  }

  get optionals(): boolean {
    return this.#flag('optionals') === true;
  }

  get quotedIdentifiers(): boolean {
    return this.#flag('quotedIdentifiers') === true;
  }

  get lacksBackTicks(): boolean | undefined {
    return this.#flag('lacksBackTicks');
  }

  get readsAnyCodePoint(): boolean | undefined {
    return this.#flag('readsAnyCodePoint');
  }

  get misplacesLineStarts(): boolean | undefined {
    return this.#flag('misplacesLineStarts');
  }

  get spellsAccumulator(): boolean | undefined {
    return this.#flag('spellsAccumulator');
  }

  #flag(query: Exclude<keyof Syntax, 'macros' | 'reuses'>): boolean | undefined {
    const answer = this.#syntax[query];
    this.#note({ query, answer });
    return answer;
  }

  /** Records a property that has not been recorded yet. The parser reads the same properties many times for one text. */
  #note(answer: Answer): void {
    if (!this.#answers.some((known) => isSameQuestion(known, answer))) this.#answers.push(answer);
  }
}

const isSameQuestion = (a: Answer, b: Answer): boolean => a.query === b.query && ('key' in a ? a.key : '') === ('key' in b ? b.key : '');

/**
 * Returns true if `syntax` (settings of the parser) has the property values in `answers`. An earlier parse of a text recorded these values.
 * If the result is true, a parse with `syntax` would give the same tree for this text.
 */
function answersAlike(syntax: Syntax, answers: readonly Answer[]): boolean {
  return answers.every((answer) => {
    if (answer.query === 'macros') return syntax.macros.get(answer.key) === answer.answer;
    if (answer.query === 'reuses') return (syntax.reuses?.has(answer.key) === true) === answer.answer;
    return syntax[answer.query] === answer.answer;
  });
}
