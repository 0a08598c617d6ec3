import type { Verdict } from '#documents';
import type { RulePlace } from './judge-messages.ts';
import type { PaneDocument } from './read-texts.ts';

/** Maximum number of rules that are listed for one object. */
const MAX_RULES = 10;

/** Finder of rules in the texts of definitions. It searches for each rule only once. */
export class RulePlaces {
  readonly #definitions: ReadonlyMap<string, PaneDocument>;
  readonly #found = new Map<string, RulePlace>();

  /** @param definitions documents of the definitions, by the name of the definition */
  constructor(definitions: ReadonlyMap<string, PaneDocument>) {
    this.#definitions = definitions;
  }

  /** Returns the rules whose results in a write were not true, each once and at most 10, with their places in the definition. */
  failed({ definition, cost }: Pick<Verdict, 'definition' | 'cost'>): readonly RulePlace[] {
    const rules = new Set((cost?.rules ?? []).flatMap(({ rule, failed }) => (failed ? [rule] : [])));
    return [...rules].slice(0, MAX_RULES).map((rule) => this.#placeOf(rule, definition ?? ''));
  }

  #placeOf(rule: string, definition: string): RulePlace {
    const key = `${definition} ${rule}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const document = this.#definitions.get(definition);
    const source = document?.file.document(document.origin);
    const range = source?.rangeUnder('rule', (text) => (text === rule ? 0 : undefined), '');
    const place = { rule, ...(document && range && { pane: document.pane, at: { line: range.line, column: range.column } }) };
    this.#found.set(key, place);
    return place;
  }
}
