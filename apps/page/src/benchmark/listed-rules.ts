import type { Explanation } from '#documents';
import type { ChosenRule } from '../state/page-state.ts';

/** Rule of the definitions, as listed for selection. */
export interface ListedRule extends ChosenRule {
  /** Text of the rule on one line, shortened if it is long. */
  readonly words: string;
  /** Estimated cost for an object, in cost units as decimal text; absent if the rule does not compile. */
  readonly estimate?: string;
}

/** Highest number of characters shown of a rule's text. */
const WORDS_LENGTH = 90;

/** Returns the rules of all definitions, in descending order of estimated cost. */
export function listRules({ definitions }: Pick<Explanation, 'definitions'>): readonly ListedRule[] {
  const priced = definitions.flatMap(({ report, rules }) =>
    rules.map(({ version, path, rule, error, totalCost }) => ({
      cost: error === undefined ? BigInt(totalCost) : -1n,
      listed: {
        definition: report.name,
        version,
        path,
        words: shortened(rule),
        ...(error === undefined && { estimate: totalCost }),
      },
    })),
  );
  return priced.toSorted((a, b) => (a.cost === b.cost ? 0 : a.cost < b.cost ? 1 : -1)).map(({ listed }) => listed);
}

/** Returns true if both rules have the same definition, version and path. */
export const isSameRule = (a: ChosenRule, b: ChosenRule): boolean =>
  a.definition === b.definition && a.version === b.version && a.path === b.path;

/** Returns the rule that the user chose, or the first rule if the chosen one does not exist. Undefined if there are no rules. */
export const chosenRule = (rules: readonly ListedRule[], wanted: ChosenRule | undefined): ListedRule | undefined =>
  (wanted && rules.find((rule) => isSameRule(rule, wanted))) ?? rules[0];

function shortened(rule: string): string {
  const characters = [...rule.replace(/\s+/g, ' ').trim()];
  return characters.length <= WORDS_LENGTH ? characters.join('') : `${characters.slice(0, WORDS_LENGTH - 1).join('')}…`;
}
