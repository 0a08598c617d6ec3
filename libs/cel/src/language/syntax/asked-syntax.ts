import type { Macro } from './macro.ts';
import type { AskableSyntax, ReusedNode, Syntax } from './syntax.ts';

/** A question to a syntax with its answer: a flag, the macro of a key, the reuse of a node. */
type Answer =
  | { readonly asked: Exclude<keyof Syntax, 'macros' | 'reuses'>; readonly said: boolean | undefined }
  | { readonly asked: 'macros'; readonly key: string; readonly said: Macro | undefined }
  | { readonly asked: 'reuses'; readonly key: ReusedNode; readonly said: boolean };

/** A syntax that records its questions. A text is parsed only once for all syntaxes that give the same answers. */
export class AskedSyntax implements AskableSyntax {
  readonly #syntax: Syntax;
  readonly #answers: Answer[] = [];
  readonly macros: AskableSyntax['macros'];
  readonly reuses: NonNullable<AskableSyntax['reuses']>;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
    this.macros = {
      get: (key) => {
        const said = syntax.macros.get(key);
        this.#note({ asked: 'macros', key, said });
        return said;
      },
    };
    this.reuses = {
      has: (key) => {
        const said = syntax.reuses?.has(key) === true;
        this.#note({ asked: 'reuses', key, said });
        return said;
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

  #flag(asked: Exclude<keyof Syntax, 'macros' | 'reuses'>): boolean | undefined {
    const said = this.#syntax[asked];
    this.#note({ asked, said });
    return said;
  }

  /** A text asks the same again and again. */
  #note(answer: Answer): void {
    if (!this.#answers.some((known) => isSameQuestion(known, answer))) this.#answers.push(answer);
  }
}

const isSameQuestion = (a: Answer, b: Answer): boolean => a.asked === b.asked && ('key' in a ? a.key : '') === ('key' in b ? b.key : '');

/** Returns true if a syntax gives the same answers to all questions. */
export function answersAlike(syntax: Syntax, answers: readonly Answer[]): boolean {
  return answers.every((answer) => {
    if (answer.asked === 'macros') return syntax.macros.get(answer.key) === answer.said;
    if (answer.asked === 'reuses') return (syntax.reuses?.has(answer.key) === true) === answer.said;
    return syntax[answer.asked] === answer.said;
  });
}
