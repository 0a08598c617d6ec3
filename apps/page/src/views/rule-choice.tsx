import type { JSX } from 'preact';
import { costWords, grouped } from '#numbers';
import { isSameRule } from '../benchmark/listed-rules.ts';
import type { ListedRule } from '../benchmark/listed-rules.ts';

/** Maximum number of rules that are listed, the most expensive first. */
const LISTED = 100;

/** Lets the user choose a rule. The most expensive rule comes first. */
export function RuleChoice({
  rules,
  chosen,
  onChoose,
}: {
  readonly rules: readonly ListedRule[];
  readonly chosen: ListedRule;
  readonly onChoose: (rule: ListedRule) => void;
}): JSX.Element {
  const listed = rules.filter((rule, i) => i < LISTED || rule === chosen);
  const hasMany = new Set(rules.map(({ definition }) => definition)).size > 1;
  return (
    <fieldset class="rule-choice">
      <legend>Rule, most expensive first</legend>
      <div>
        {listed.map((rule) => (
          <label key={`${rule.definition} ${rule.version} ${rule.path}`}>
            <input type="radio" name="benchmark-rule" checked={isSameRule(rule, chosen)} onChange={() => onChoose(rule)} />
            <span>
              <code>{rule.words}</code>
              <small>
                {rule.estimate === undefined ? 'does not compile' : `estimate ${costWords(rule.estimate)} units`} ·{' '}
                {hasMany && `${rule.definition} `}
                {rule.version} {rule.path}
              </small>
            </span>
          </label>
        ))}
      </div>
      {rules.length > listed.length && <p class="muted">… and {grouped(rules.length - listed.length)} cheaper ones.</p>}
    </fieldset>
  );
}
