import type { JSX } from 'preact';
import type { VerdictCauses } from '#evaluation';
import { changedShare, cut } from '#report-forms';

/** Maximum number of rules that are listed below a cause. */
const RULES = 3;
/** Maximum length of a rule's text, in code points. */
const RULE_WIDTH = 120;

/** Shows why neighbouring Kubernetes versions have different verdicts on a definition: each cause, and the rules that it concerns. */
export function CausesList({ name, causes }: { readonly name: string; readonly causes: readonly VerdictCauses[] }): JSX.Element {
  return (
    <ul class="causes">
      {causes.map(({ from, to, causes: known, hasSeveral, rules, sums }) => (
        <li key={to}>
          Why {to} differs from {from} for <code>{name}</code>: {hasSeveral && `more than three changes of ${to} together`}
          {known.length === 0 && !hasSeveral && 'neither costs nor functions'}
          {known.map(({ name: change, sentence, upstream }) => (
            <span key={change}>
              {withCode(sentence)}
              {upstream !== undefined && ` (${upstream})`}.{' '}
            </span>
          ))}
          <ul>
            {rules.slice(0, RULES).map(({ rule, places, share }) => (
              <li key={`${places[0]?.version} ${places[0]?.path}`}>
                <code>{cut(rule.replaceAll(/\s+/g, ' ').trim(), RULE_WIDTH)}</code>
                {share && `: ${changedShare(share, { from, to })}`}
                {places.length > 1 && `, ${places.length} times`}
              </li>
            ))}
            {rules.length > RULES && <li>… and {rules.length - RULES} other rules</li>}
            {sums.map(({ version, share }) => (
              <li key={version}>
                all rules of {version} together: {changedShare(share, { from, to })}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Returns a sentence whose Markdown code marks are elements. */
function withCode(sentence: string): (JSX.Element | string)[] {
  return sentence.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>));
}
