import type { JSX } from 'preact';
import type { VerdictCauses } from '#documents';
import { changedShare } from '#numbers';
import { causeHeading, causeSentences, ruleInLine } from '#report';

/** Maximum number of rules that are listed below a cause. */
const RULES = 3;
/** Maximum length of a rule's text, in code points. */
const RULE_WIDTH = 120;

/** Shows why neighbouring Kubernetes versions have different verdicts on a definition: each cause, and the rules that it concerns. */
export function CausesList({ name, causes }: { readonly name: string; readonly causes: readonly VerdictCauses[] }): JSX.Element {
  return (
    <ul class="causes">
      {causes.map((found) => {
        const { to, rules, sums } = found;
        return (
          <li key={to}>
            {capitalized(causeHeading(found))} for <code>{name}</code>:{' '}
            {causeSentences(found).map((sentence) => (
              <span key={sentence}>{withCode(sentence)}. </span>
            ))}
            <ul>
              {rules.slice(0, RULES).map(({ rule, places, share }) => (
                <li key={`${places[0]?.version} ${places[0]?.path}`}>
                  <code>{ruleInLine(rule, RULE_WIDTH)}</code>
                  {share && `: ${changedShare(share, found)}`}
                  {places.length > 1 && `, ${places.length} times`}
                </li>
              ))}
              {rules.length > RULES && <li>… and {rules.length - RULES} other rules</li>}
              {sums.map(({ version, share }) => (
                <li key={version}>
                  all rules of {version} together: {changedShare(share, found)}
                </li>
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a sentence whose Markdown code marks are elements. */
function withCode(sentence: string): (JSX.Element | string)[] {
  return sentence.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>));
}
