import type { PlacedFindings } from '#benchmark';
import { EXPRESSION_COST_LIMIT } from '#kube';
import { bytesText, factorText, grouped, growthText, shortCost, times, timeText } from '#numbers';
import {
  otherSizesText,
  suggestedBoundText,
  costChangeText,
  fieldText,
  LIMIT_TEXTS,
  productText,
  ratioText,
  timeChangeText,
  furtherFieldsText,
  unitsText,
  disturbedText,
} from '../study-words.ts';
import { markup, tableMarkup, VERDICTS } from '../../charts/markup.ts';
import type { Markup } from '../../charts/markup.ts';
import { cutText } from '../../forms/shown-text.ts';

/** Highest number of characters that are shown of a rule, or of the plan (its fields, as JSON) of its most expensive write. */
const MAX_TEXT_LENGTH = 2000;
/** Descriptions of what was timed, by the kind of the time. */
const TIMED = { rule: 'one evaluation', write: 'the whole write', compile: 'compiling' } as const;
const ENDS = { accepted: 'it is accepted', call: `${LIMIT_TEXTS.call} ends it`, object: `${LIMIT_TEXTS.object} ends it` } as const;

/** Name of a fact with its value. A value that contains text from users is `Markup`. */
type Fact = readonly [name: string, found: string | Markup];

/** Data for the section of one rule in the HTML page of a study, in addition to the findings. */
export interface RulePlace {
  readonly id: string;
  readonly number: number;
  /** Charts of the rule. */
  readonly figures: readonly Markup[];
  /** Number of charts of the rule that are left out because they do not fit into the page. */
  readonly leftOut: number;
}

/** Returns the section of a rule: its text, the facts about it, and its charts. */
export function ruleSection(rule: PlacedFindings, { id, number, figures, leftOut }: RulePlace): Markup {
  const { definition, version, source, path, worst } = rule;
  const facts = [...costFacts(rule), ...timeFacts(rule), ...claimFacts(rule)];
  return markup`<section id="${id}" aria-labelledby="${id}-heading"><p class="sub">${definition} ${version} · ${source}</p>
<h2 id="${id}-heading">${number}. ${path}</h2>
<p class="rule"><code>${cutText(rule.rule.trim(), MAX_TEXT_LENGTH)}</code></p>
${doubts(rule).map((doubt) => markup`<p class="trust doubt">${doubt}</p>`)}
${facts.length === 0 ? '' : tableMarkup({ title: '', columns: ['fact', 'found'], rows: facts })}
${worst === undefined ? '' : markup`<details><summary>Plan of the most expensive write that was found</summary><p class="rule"><code>${cutText(JSON.stringify(worst.plan.fields), MAX_TEXT_LENGTH)}</code></p><p class="rule">Old value: <code>${worst.plan.old}</code></p></details>`}
${figures}
${leftOut === 0 ? '' : markup`<p class="not">${times(leftOut, 'chart')} of this rule left out, to keep the page small.</p>`}</section>
`;
}

function doubts(rule: PlacedFindings): string[] {
  const { notStudied, obstacle, isPartial, cutOff } = rule;
  const disturbed = disturbedText(rule);
  return [
    ...(notStudied === undefined ? [] : [`Not studied: ${notStudied}`]),
    ...(cutOff === 'comparison' ? ['The time did not suffice to compare the rule with the older revision.'] : []),
    ...(obstacle === undefined ? [] : [`The most expensive value of the rule alone is not accepted: ${obstacle}`]),
    ...(isPartial
      ? ['Not finished: the study of this rule reached its time limit before it had tried all sizes. A more expensive write may exist.']
      : []),
    ...(disturbed === undefined ? [] : [disturbed]),
  ];
}

function costFacts(rule: PlacedFindings): Fact[] {
  const { estimate, worst, estimateOverWorst, budgetEndsAt: end, suggestedBounds, costAtSuggested, base } = rule;
  const ofLimit = (cost: string): string =>
    `${shortCost(cost)} of ${grouped(EXPRESSION_COST_LIMIT)} units: ${factorText(Number(cost) / Number(EXPRESSION_COST_LIMIT))}`;
  return [
    ...(estimate === undefined
      ? []
      : ([
          ['estimate of one evaluation', unitsText(estimate.call)],
          ['estimate of an object', ofLimit(estimate.object)],
        ] as const)),
    [
      'most expensive write found',
      worst === undefined
        ? 'none'
        : `${unitsText(worst.cost)} in ${times(worst.evaluations, 'evaluation')} and ${times(worst.bytes, 'byte')}; ${ENDS[worst.end]}`,
    ],
    ...(estimateOverWorst === undefined ? [] : [['estimate ÷ highest cost found', ratioText(estimateOverWorst)] as const]),
    ...rule.growsWith.map((field): Fact => [
      `growth of cost with ${fieldText(field.field)}`,
      [
        growthText(field.costExponent),
        field.bound === undefined ? 'no bound' : `at most ${grouped(field.bound)} ${field.unit}`,
        ...(field.costAtBound === undefined ? [] : [`${unitsText(field.costAtBound)} there`]),
        ...(field.wouldEndAt === undefined ? [] : [`without the bound refused from ${grouped(field.wouldEndAt)} on`]),
      ].join('; '),
    ]),
    ...(rule.growsTogether === undefined
      ? []
      : [['growth of cost with several fields together', togetherText(rule.growsTogether)] as const]),
    [
      'refused',
      end === undefined
        ? 'at no size that the study found'
        : `from ${grouped(end.size)} ${end.unit} of ${fieldText(end.field)}${furtherFieldsText(end)} on${otherSizesText(end)}, by ${LIMIT_TEXTS[end.limit]}`,
    ],
    ...suggestedBounds.map((bound): Fact => ['suggested bound', suggestedBoundText(bound)]),
    ...(costAtSuggested === undefined ? [] : [['cost of one evaluation at the suggested bounds', unitsText(costAtSuggested)] as const]),
    ...(base === undefined ? [] : [['cost beside the base', costChangeText(base)] as const]),
  ];
}

function togetherText({ fields, costExponent, wouldEndAt }: NonNullable<PlacedFindings['growsTogether']>): string {
  const growth = `${productText(fields)}: ${growthText(costExponent)}`;
  return wouldEndAt === undefined ? growth : `${growth}; without the bounds refused from ${grouped(wouldEndAt)} each on`;
}

function timeFacts({ times, growsWith, serverTime, base }: PlacedFindings): Fact[] {
  const change = base && timeChangeText(base);
  return [
    ...times.map(({ engine, what, ms, nsPerUnit, timesMedian, heapBytes }): Fact => [
      `time of ${TIMED[what]}, ${engine}`,
      [
        timeText(ms),
        ...(nsPerUnit === undefined ? [] : [`${nsPerUnit.toPrecision(3)} ns a unit`]),
        ...(timesMedian === undefined ? [] : [`${ratioText(timesMedian)} the median over functions`]),
        ...(heapBytes === undefined ? [] : [`${bytesText(heapBytes)} of heap`]),
      ].join('; '),
    ]),
    ...growsWith.flatMap(({ field, timeExponent }): Fact[] =>
      timeExponent === undefined
        ? []
        : [
            [
              `growth of time with ${fieldText(field)}`,
              `${growthText(timeExponent.value)} [${timeExponent.lo.toFixed(2)}, ${timeExponent.hi.toFixed(2)}]`,
            ],
          ],
    ),
    ...(serverTime === undefined ? [] : [['time of one evaluation, API server', serverTimeText(serverTime)] as const]),
    ...(change === undefined ? [] : [['time beside the base', change] as const]),
  ];
}

const serverTimeText = (time: NonNullable<PlacedFindings['serverTime']>): string =>
  time.kind === 'predicted' ? `predicted: ${timeText(time.ms)} (${time.family})` : `not predicted: ${time.reason}`;

const claimFacts = ({ claims }: PlacedFindings): Fact[] =>
  claims.map(({ claim, found, verdict }) => [`claim: ${claim.replaceAll('`', "'")}`, markup`${VERDICTS[verdict]} ${found}`]);
