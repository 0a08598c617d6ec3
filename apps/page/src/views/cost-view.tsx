import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { costNodes, drawIcicle, layOutIcicle, PICTURE_STYLE } from '#cost-picture';
import type { PriceKind } from '#cost-picture';
import type { Explanation } from '#evaluation';
import type { MendAnswer } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';
import { costText, countText } from './count-text.ts';
import { JudgeButton } from './judge-button.tsx';

type Rule = Explanation['definitions'][number]['rules'][number];

/** Rules that are drawn, dearest first. */
const DRAWN = 20;
const LIMIT = 10_000_000;

/** Shows the parts of each rule's cost, estimated or measured on the objects. */
export function CostView({ session }: { readonly session: PageSession }): JSX.Element {
  const [answer, setAnswer] = useState<Explanation>();
  const [kind, setKind] = useState<PriceKind>('estimate');
  const [mended, setMended] = useState('');
  const { texts, minor } = session.state;
  const rules = (answer?.definitions ?? []).flatMap((definition) =>
    definition.rules.map((rule) => ({ rule, name: definition.report.name })),
  );
  return (
    <>
      <style>{PICTURE_STYLE}</style>
      <div class="row">
        <fieldset class="choice">
          <legend class="unseen">Which prices</legend>
          {(['estimate', 'measured'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="price" checked={one === kind} onChange={() => setKind(one)} />{' '}
              {one === 'estimate' ? 'at most, by the schema' : 'measured, in the objects'}
            </label>
          ))}
        </fieldset>
        <JudgeButton words="Take apart again" session={session} atOnce ask={{ kind: 'explain', texts, minor }} onAnswer={setAnswer} />
      </div>
      {answer?.definitions.some(isTooDear) === true && (
        <p class="row">
          <JudgeButton
            words="Set all bounds that it takes"
            session={session}
            ask={{ kind: 'mend', texts, minor }}
            onAnswer={(answered) => {
              // What was written meanwhile stays.
              if (session.state.texts.definitions !== texts.definitions)
                return setMended('The definitions were changed meanwhile: ask again.');
              setMended(mendedText(answered));
              if (answered.bounds.length > 0) session.setTexts({ definitions: answered.text });
            }}
          />
        </p>
      )}
      {mended !== '' && <p role="status">{mended}</p>}
      {answer !== undefined && rules.length === 0 && <p class="muted">There are no rules.</p>}
      {rules.slice(0, DRAWN).map(({ rule, name }, i) => (
        <RulePicture key={`${name} ${rule.version} ${rule.path}`} rule={rule} kind={kind} id={`cost-${i}`} />
      ))}
      {rules.length > DRAWN && <p class="muted">… and {countText(rules.length - DRAWN)} cheaper ones.</p>}
    </>
  );
}

/** Returns whether a definition costs too much, in one rule or in all together. */
const isTooDear = ({ rules, schemas }: Explanation['definitions'][number]): boolean =>
  [
    ...rules.flatMap(({ suggestions, messageSuggestions }) => [suggestions, messageSuggestions]),
    ...schemas.map(({ suggestions }) => suggestions),
  ].some((ways) => ways !== undefined);

function mendedText({ bounds, notMended }: MendAnswer): string {
  const set = new Set(bounds.map(({ path, keyword, suggested }) => `${keyword}: ${suggested} at ${path || 'the root'}`));
  return [set.size > 0 ? `Set: ${[...set].join(', ')}.` : 'No bound was set.', ...notMended.map((why) => `Not mended: ${why}.`)].join(' ');
}

const factorText = (factor: number): string =>
  factor > 1 ? `${costText(factor.toFixed(0))} times the limit` : `${(100 * factor).toFixed(1)} %`;

function RulePicture({ rule, kind, id }: { readonly rule: Rule; readonly kind: PriceKind; readonly id: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const { parts, path, version, totalCost, cardinality, maxCost, measured, error, suggestions } = rule;
  useEffect(() => {
    const { current } = host;
    if (current === null) return;
    const nodes = parts && costNodes(parts, kind);
    const width = Math.max(280, current.clientWidth);
    // The picture's text is escaped by what draws it; scripts would not run under the page's policy.
    current.innerHTML = nodes === undefined ? '' : drawIcicle(layOutIcicle(nodes, { width }), { title: `What ${path} costs, ${kind}`, id });
  }, [parts, kind]);
  const total = BigInt(totalCost);
  const price =
    kind === 'estimate'
      ? `${costText(totalCost)} of ${countText(LIMIT)} units at most (${factorText(rule.factor)}) = ${costText(maxCost)} × ${cardinality === null ? 'as often as a request has room for' : costText(cardinality)}`
      : measured
        ? `${countText(measured.cost)} units in ${countText(measured.evaluations)} evaluations in ${countText(measured.objects)} objects; the dearest took ${countText(measured.dearest.cost)}`
        : 'not evaluated in the objects';
  return (
    <section class="rule-cost">
      <h2>
        {version} <code>{path}</code>
      </h2>
      <p class={kind === 'estimate' && total > BigInt(LIMIT) ? 'bad' : 'muted'}>{error === undefined ? price : error}</p>
      <div ref={host} class="picture" />
      {kind === 'estimate' &&
        suggestions?.slice(0, 2).map(({ bounds, cost }, i) => (
          <p key={i}>
            {bounds.map((bound) => `${bound.keyword}: ${bound.suggested} at ${bound.path || 'the root'}`).join(', ')} would bring it to{' '}
            {costText(cost)}.
          </p>
        ))}
    </section>
  );
}
