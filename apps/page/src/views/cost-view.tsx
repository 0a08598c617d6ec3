import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { countedText, grouped, limitText, costWords, exactCost } from '#numbers';
import { costNodes, drawIcicle, layOutIcicle, PICTURE_STYLE } from '#report';
import type { PriceKind } from '#report';
import type { Explanation } from '#documents';
import { EXPRESSION_COST_LIMIT } from '#kube';
import type { PageSession } from '../state/page-session.ts';
import { AnswerStatus } from './answer-status.tsx';
import { useAnswer } from './use-answer.ts';
import { MendButton } from './mend-button.tsx';
import { TONE_SIGNS } from './verdict-words.ts';

type Rule = Explanation['definitions'][number]['rules'][number];

/** Maximum number of rules that are drawn, the most expensive first. */
const DRAWN = 20;

/** Explanation of each kind of cost, because the two kinds differ by many times for most rules. */
const KIND_WORDS: Readonly<Record<PriceKind, string>> = {
  estimate: 'A server computes the estimate from the schema alone, and refuses a definition whose estimate is above the limit.',
  measured: 'Your objects use these units. They are usually far fewer than the estimate, which counts with the largest object.',
};

/** Shows the cost of each rule and of its parts, as estimated or as measured on the objects. */
export function CostView({ session }: { readonly session: PageSession }): JSX.Element {
  const [kind, setKind] = useState<PriceKind>('estimate');
  const { texts, minor } = session.state;
  const request = useAnswer(session, { kind: 'explain', texts, minor }, { after: [texts, minor], pauseMs: 300 });
  const answer = request.last?.answer;
  const rules = (answer?.definitions ?? []).flatMap((definition) =>
    definition.rules.map((rule) => ({ rule, name: definition.report.name })),
  );
  const shown = withVersions(rules, kind);
  return (
    <>
      <style>{PICTURE_STYLE}</style>
      <div class="row">
        <fieldset class="choice">
          <legend class="unseen">Which cost</legend>
          {(['estimate', 'measured'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="price" checked={one === kind} onChange={() => setKind(one)} />{' '}
              {one === 'estimate' ? 'Estimate (highest possible)' : 'Measured in your objects'}
            </label>
          ))}
        </fieldset>
        <AnswerStatus words="Recalculate" session={session} request={request} />
      </div>
      {answer?.definitions.some(isTooExpensive) === true && (
        <div class="row">
          <MendButton session={session} />
        </div>
      )}
      {answer !== undefined && rules.length === 0 && (
        <p class="empty">
          Your definitions have no rules. You write rules below <code>x-kubernetes-validations</code>; the first example has two.
        </p>
      )}
      {shown.length > 0 && (
        <p class="row muted">
          {KIND_WORDS[kind]} In each picture, the width is the cost of a part with its inner parts. Darker parts cost more by themselves.
        </p>
      )}
      {shown.slice(0, DRAWN).map(({ name, versions, rule }, i) => (
        <RulePicture key={`${name} ${rule.version} ${rule.path}`} versions={versions} rule={rule} kind={kind} id={`cost-${i}`} />
      ))}
      {shown.length > DRAWN && <p class="muted">… and {grouped(shown.length - DRAWN)} cheaper ones.</p>}
    </>
  );
}

/**
 * Returns true if one rule of a definition or its messageExpression, or all rules of a version together, cost more than a server accepts.
 */
const isTooExpensive = ({ additions }: Explanation['definitions'][number]): boolean => additions !== undefined;

/** A rule of a definition. */
interface NamedRule {
  readonly name: string;
  readonly rule: Rule;
}

/**
 * Returns the rules with their versions. If `kind` is `estimate`, a rule with the same estimate in several versions appears once. Otherwise
 * it appears once per version, because measured costs differ by version.
 */
function withVersions(rules: readonly NamedRule[], kind: PriceKind): readonly (NamedRule & { readonly versions: readonly string[] })[] {
  const keyOf = ({ name, rule: { version, path, rule, totalCost, maxCost, cardinality } }: NamedRule): string =>
    JSON.stringify([name, path, rule, totalCost, maxCost, cardinality, kind === 'estimate' ? '' : version]);
  return [...Map.groupBy(rules, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, versions: [first, ...others].map(({ rule }) => rule.version) }],
  );
}

function RulePicture({
  rule,
  versions,
  kind,
  id,
}: {
  readonly rule: Rule;
  readonly versions: readonly string[];
  readonly kind: PriceKind;
  readonly id: string;
}): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const { parts, path, totalCost, error, suggestions, rule: text } = rule;
  useEffect(() => {
    const { current } = host;
    if (current === null) return;
    const nodes = parts && costNodes(parts, kind);
    const width = Math.max(280, current.clientWidth);
    // The drawing escapes its texts, and the page's content security policy blocks scripts.
    current.innerHTML = nodes === undefined ? '' : drawIcicle(layOutIcicle(nodes, { width }), { title: `What ${path} costs, ${kind}`, id });
  }, [parts, kind]);
  const isOver = kind === 'estimate' && BigInt(totalCost) > EXPRESSION_COST_LIMIT;
  // The button that adds limits adds the bounds of the first suggestion.
  const [suggested] = suggestions ?? [];
  return (
    <section class="rule-cost">
      <h2>
        <code>{text}</code>
      </h2>
      <p class="where muted" title={path}>
        {versions.join(', ')} <code>{path}</code>
      </p>
      {kind === 'estimate' && error === undefined && <Meter total={BigInt(totalCost)} />}
      <p class={isOver ? 'over-limit' : 'muted'}>{error ?? <Price rule={rule} kind={kind} />}</p>
      <div ref={host} class="picture" />
      {kind === 'estimate' && suggested && (
        <p>
          With {suggested.bounds.map((bound) => `${bound.keyword}: ${bound.suggested} at ${bound.path || 'the root'}`).join(' and ')}, the
          estimate is <Amount of={suggested.cost} />.
        </p>
      )}
    </section>
  );
}

/**
 * Shows a cost as a share of the cost limit of an object. The bar is full from the limit on, and has the colour of refusals above the
 * limit.
 */
const Meter = ({ total }: { readonly total: bigint }): JSX.Element => (
  <div class="meter" aria-hidden="true">
    <div
      class={total > EXPRESSION_COST_LIMIT ? 'over' : ''}
      style={{ width: `${Math.min(100, (100 * Number(total)) / Number(EXPRESSION_COST_LIMIT))}%` }}
    />
  </div>
);

/** Shows the cost of a rule: the estimate beside the limit of an object, or the measured cost. */
function Price({
  rule: { totalCost, cardinality, maxCost, measured },
  kind,
}: {
  readonly rule: Rule;
  readonly kind: PriceKind;
}): JSX.Element {
  if (kind === 'measured')
    return measured ? (
      <>
        measured: {grouped(measured.cost)} units in {countedText(measured.evaluations, 'evaluation')} and{' '}
        {countedText(measured.objects, 'object')}. The most expensive evaluation took {grouped(measured.costliest.cost)} units.
      </>
    ) : (
      <>Your objects do not evaluate it.</>
    );
  const total = BigInt(totalCost);
  return (
    <>
      <strong>
        {total > EXPRESSION_COST_LIMIT && `${TONE_SIGNS.expensive} `}
        {limitText(total, EXPRESSION_COST_LIMIT)}
      </strong>
      : estimate <Amount of={totalCost} />, limit {grouped(Number(EXPRESSION_COST_LIMIT))} units
      {cardinality !== '1' && (
        <>
          {' '}
          (<Amount of={maxCost} /> in one evaluation ×{' '}
          {cardinality === null ? (
            'as many evaluations as a request has room for'
          ) : (
            <>
              <Amount of={cardinality} /> evaluations
            </>
          )}
          )
        </>
      )}
    </>
  );
}

/** Shows a number in short form. All digits appear when the pointer rests on the number. */
function Amount({ of }: { readonly of: string }): JSX.Element {
  const [short, exact] = [costWords(of), exactCost(of)];
  return short === exact ? <>{short}</> : <span title={exact}>{short}</span>;
}
