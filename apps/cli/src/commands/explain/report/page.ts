import { Markup, markup } from '#report/charts';
import type { PricedPart } from '#documents';
import { EXPRESSION_COST_LIMIT, minorWords, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { briefMessage } from '#editing';
import { packageVersion } from '#telemetry';
import { factorText, grouped, percent, roughPercent, times } from '#numbers';
import { pagePolicy, costNodes, costliestParts, drawIcicle, layOutIcicle, SHADE_FROM, PICTURE_FONTS, PICTURE_STYLE } from '#report';
import type { CostNode, PriceKind } from '#report';
import type { PlacedDefinition, PlacedExplanation } from '../explain-documents.ts';
import { addedBounds, boundText, suggestionText, noBoundsReason, placeText } from '../../../report/words.ts';
import { isBesidePrices, foldSchemas, foldVersions, summaryRows, SUMMARY_HEADINGS, RIGHT_ALIGNED } from './prices.ts';
import type { FoldedRule } from './prices.ts';

/**
 * Returns the explanation of definitions as one page for a browser: a table of the rules, and a cost picture of each rule. The page loads
 * no resources and runs no script, and its content security policy forbids both.
 */
export function explanationPage({ definitions, objects }: PlacedExplanation, minor: Minor): string {
  const names = definitions.map(({ report }) => report.name).join(', ');
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${pagePolicy(PAGE_STYLE)}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>What rules cost: ${names}</title><style>${new Markup(PAGE_STYLE)}</style></head><body>
<h1>What each rule costs</h1>
<p class="muted">As Kubernetes ${minorWords(minor)} would estimate it, by Assay ${packageVersion()}. ${MEANING}</p>
${definitions.map((definition, i) => definitionSection(definition, { objects, id: `d${i + 1}` }))}
</body></html>
`;
  return page.text;
}

const MEANING =
  'The estimate is the maximum cost of one evaluation under the bounds of the schema. Measured is the cost of the most expensive evaluation in the given objects.';

/** Values for the sections about one definition: the measured objects, and a prefix for element ids. */
interface PagePart {
  readonly objects: PlacedExplanation['objects'];
  /** Prefix of all element ids in the sections about the definition. */
  readonly id: string;
}

function definitionSection(definition: PlacedDefinition, { objects, id }: PagePart): Markup {
  const { report, schemas, findings = [] } = definition;
  const rules = foldVersions(definition.rules);
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${report.name === '' ? 'A definition without a name' : report.name}</h2>
<p>${placeText(definition)}: ${report.accepted ? markup`<span class="good">accepted</span>` : markup`<strong class="bad">refused</strong>`}</p>
${findings.filter(isBesidePrices).map((finding) => markup`<p class="pre ${finding.severity === 'error' ? 'bad' : 'muted'}">${finding.severity}: ${finding.field === undefined ? '' : `${finding.field}: `}${briefMessage(finding)}</p>`)}
${foldSchemas(schemas).map(({ versions, cost, factor }) => markup`<p>All rules of ${versions} together: ${grouped(cost)} of ${grouped(SCHEMA_COST_LIMIT)} units (${factorText(factor)}).</p>`)}
${rules.length === 0 ? markup`<p>It has no rules.</p>` : markup`${rulesPicture(rules, id)}${summaryTable(rules, id)}`}
${additionsList(definition.additions)}
${adviceList(definition)}
${rules.map((rule, i) => ruleSection(rule, { objects, id: `${id}-r${i + 1}` }, i + 1))}
</section>`;
}

function summaryTable(rules: readonly FoldedRule[], id: string): Markup {
  const rows = rules.flatMap((rule, i) => summaryRows(rule, i + 1).map((cells) => ({ cells, section: `${id}-r${i + 1}` })));
  const columns = SUMMARY_HEADINGS.map((_, i) => i).filter((i) => rows.some(({ cells }) => cells[i] !== ''));
  const side = (i: number): string =>
    RIGHT_ALIGNED.has(SUMMARY_HEADINGS[i] ?? '') ? 'number' : SUMMARY_HEADINGS[i] === 'LINE' ? 'place' : 'text';
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="All rules"><table>
<thead><tr>${columns.map((i) => markup`<th scope="col" class="${side(i)}">${(SUMMARY_HEADINGS[i] ?? '').toLowerCase()}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ cells, section }) =>
      markup`<tr>${columns.map((i) =>
        i === 0
          ? markup`<td class="number"><a href="#${section}">${cells[i] ?? ''}</a></td>`
          : markup`<td class="${side(i)}">${cells[i] ?? ''}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

function ruleSection(rule: FoldedRule, { objects, id }: PagePart, number: number): Markup {
  const { versions, path, location, cardinality, measured, error, messageMaxCost, messageFactor = 0, messageError, messageParts } = rule;
  const at = location === undefined ? '' : ` (${location.file}:${location.line}:${location.column})`;
  return markup`<section class="rule" aria-labelledby="${id}"><h3 id="${id}">${number}. ${path}</h3>
<p class="muted">${versions}${at}</p><pre>${rule.rule.trim()}</pre>
${
  error === undefined
    ? markup`<p>Estimate ${grouped(rule.maxCost)} × ${cardinality === null ? 'unbounded evaluations' : `${grouped(cardinality)} evaluation${cardinality === '1' ? '' : 's'}`} = <strong>${grouped(rule.totalCost)}</strong> of ${grouped(EXPRESSION_COST_LIMIT)} units: ${share(rule.factor)}.</p>`
    : markup`<p class="pre bad">It does not compile: ${error}</p>`
}
${
  measured === undefined
    ? markup``
    : markup`<p>Measured ${times(measured.evaluations, 'evaluation')} in ${times(measured.objects, 'object')}, ${grouped(measured.cost)} units together; the most expensive evaluation ${grouped(measured.costliest.cost)} units, ${percent(measured.costliest.cost / Number(rule.maxCost))} of the estimate (${objects[measured.costliest.object]?.source ?? ''}${measured.costliest.at === '<nil>' ? '' : ` ${measured.costliest.at}`}).</p>`
}
${rulePicture(rule.parts, { id, title: `Rule ${number}` })}
${boundsList('The price depends on', rule.bounds, rule.suggestions)}
${messageError === undefined ? markup`` : markup`<p class="pre bad">messageExpression does not compile: ${messageError}</p>`}
${
  messageMaxCost === undefined || messageError !== undefined
    ? markup``
    : markup`<h4>messageExpression</h4><p>Estimate ${grouped(messageMaxCost)} of ${grouped(EXPRESSION_COST_LIMIT)} units: ${share(messageFactor)}.</p>
${rulePicture(messageParts, { id: `${id}-m`, title: `The messageExpression of rule ${number}` })}${boundsList('Its price depends on', rule.messageBounds, rule.messageSuggestions)}`
}
</section>`;
}

/** Returns the bounds that the definition needs, or the reason why no missing bounds suffice. */
function additionsList(additions: PlacedDefinition['additions']): Markup {
  if (additions === undefined) return markup``;
  if ('why' in additions) return markup`<p>No missing bounds bring all costs under their limits: ${noBoundsReason(additions)}.</p>`;
  const items = addedBounds(additions.bounds).map((text) => markup`<li><code>${text}</code></li>`);
  return markup`<h4>Bounds that bring all costs under their limits</h4><ul>${items}</ul>`;
}

const share = (factor: number): Markup =>
  factor > 1 ? markup`<strong class="bad">${factorText(factor)}</strong>` : markup`${factorText(factor)}`;

function adviceList({ advice }: PlacedDefinition): Markup {
  if (advice.length === 0) return markup``;
  const items = advice.map(
    ({ id, text, path, location }) =>
      markup`<li><strong>${id}</strong> ${location === undefined ? path : `${location.file}:${location.line}:${location.column}`}: ${text}</li>`,
  );
  return markup`<h4>Advice</h4><ul>${items}</ul>`;
}

function boundsList(title: string, bounds: FoldedRule['bounds'] = [], suggestions?: FoldedRule['suggestions']): Markup {
  const listed = bounds.map((bound) => markup`<li><code>${boundText(bound)}</code></li>`);
  const ways = (suggestions ?? []).map((one) => markup`<li><code>${suggestionText(one)}</code></li>`);
  return markup`${listed.length === 0 ? markup`` : markup`<h4>${title}</h4><ul>${listed}</ul>`}
${ways.length === 0 ? markup`` : markup`<h4>Each of these would bring it under the limit</h4><ul>${ways}</ul>`}
${suggestions?.length === 0 ? markup`<p>No missing bound brings it under the limit: the rule itself must cost less, or existing bounds must be lowered.</p>` : markup``}`;
}

/** Width of the charts in pixels. In a narrower window, the user scrolls the charts. */
const WIDTH = 1140;
const KINDS = ['estimate', 'measured'] as const;

/** Title of a chart, and the prefix of its element ids. */
interface PictureName {
  readonly id: string;
  readonly title: string;
}

/**
 * Returns charts of the parts of an expression that cause its cost. The first chart shows the estimate. If the expression was measured, a
 * second chart shows the measurement, with a switch between the two charts.
 */
function rulePicture(parts: PricedPart | undefined, { id, title }: PictureName): Markup {
  if (parts === undefined) return markup``;
  const trees = KINDS.flatMap((kind) => {
    const root = costNodes(parts, kind);
    return root === undefined ? [] : [{ kind, root }];
  });
  const pictures = trees.map(({ kind, root }) => kindSection(root, kind, { id: `${id}-${kind}`, title }));
  return markup`${trees.length > 1 ? kindSwitch(id) : markup``}${pictures}`;
}

const kindSwitch = (id: string): Markup =>
  markup`<fieldset class="switch"><legend>Drawn by</legend><label><input type="radio" class="by-estimate" name="${id}-by" checked> estimate</label><label><input type="radio" class="by-measured" name="${id}-by"> measured</label></fieldset>`;

function kindSection(root: CostNode, kind: PriceKind, { id, title }: PictureName): Markup {
  const name = `${title}, ${kind === 'estimate' ? 'by estimate' : 'the most expensive evaluation as measured'}`;
  const icicle = layOutIcicle(root, { width: WIDTH });
  return markup`<div class="of-${kind}"><div class="scroll" tabindex="0" role="region" aria-label="${name}">${new Markup(drawIcicle(icicle, { id, title: name }))}</div>
${colourKey(root)}<details><summary>Parts by what they cost by themselves</summary>${partsTable(root)}</details></div>`;
}

/** Returns the legend of the chart's colours; empty for a rule without cost. */
function colourKey({ total }: CostNode): Markup {
  if (total === 0n) return markup``;
  const from = ['less', ...SHADE_FROM.map((share) => `${100 * share} % or more`)];
  return markup`<ul class="key"><li>By itself, without the parts below:</li>${from.map((text, i) => markup`<li><i class="fill-${i}"></i>${text}</li>`)}</ul>`;
}

function partsTable(root: CostNode): Markup {
  const rows = costliestParts(root).map(
    ({ node, share }) =>
      markup`<tr><td class="number">${roughPercent(share)}</td><td class="number">${grouped(node.own)}</td><td class="number">${grouped(node.total)}</td><td class="number">${grouped(node.evaluations ?? 0n)}</td><td class="number">${node.place?.line ?? ''}:${node.place?.column ?? ''}</td><td class="text">${node.text}</td></tr>`,
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Parts"><table><thead><tr><th scope="col" class="number">share</th><th scope="col" class="number">by itself</th><th scope="col" class="number">with its parts</th><th scope="col" class="number">evaluations</th><th scope="col" class="number">at</th><th scope="col">part</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Returns a chart with all rules of a definition side by side. The width of each rule is proportional to its maximum cost in an object. */
function rulesPicture(rules: readonly FoldedRule[], id: string): Markup {
  const parts = rules.flatMap(({ rule, totalCost, cardinality, messageMaxCost }, i): CostNode[] => {
    const own = BigInt(totalCost);
    const message = BigInt(messageMaxCost ?? 0);
    const evaluations = cardinality === null ? undefined : BigInt(cardinality);
    const ofMessage = { text: `messageExpression of ${i + 1}`, own: message, total: message, evaluations: 1n, parts: [] };
    return [{ text: `${i + 1}. ${rule}`, own, total: own, evaluations, parts: [] }, ...(message === 0n ? [] : [ofMessage])];
  });
  const total = parts.reduce((sum, part) => sum + part.total, 0n);
  if (parts.length < 2 || total === 0n) return markup``;
  const icicle = layOutIcicle({ text: 'all rules', own: 0n, total, evaluations: 1n, parts }, { width: WIDTH });
  const title = 'All rules, each as wide as the most that it may cost in an object';
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${title}">${new Markup(drawIcicle(icicle, { id: `${id}-all`, title }))}</div><p class="muted">${title}${icicle.leftOut > 0 ? `; ${icicle.leftOut} cost too little to be seen` : ''}.</p>`;
}

/** Style sheet of an HTML page about costs. It is a constant, so that the page's content security policy can contain its hash. */
const PAGE_STYLE = [
  PICTURE_STYLE,
  ':root{color-scheme:light dark;--line:#d5dae0;--panel:#f5f7f9;--good:#1a7f42;--bad:#b3261e;--link:#12409e}',
  '@media(prefers-color-scheme:dark){:root{--line:#39424d;--panel:#1b2027;--good:#5ad07f;--bad:#ff8f85;--link:#6a9bff}}',
  '*{box-sizing:border-box}',
  `body{margin:0 auto;max-width:1180px;padding:24px 20px 80px;overflow-wrap:anywhere;background:var(--picture-paper);color:var(--picture-ink);font:15px/1.5 ${PICTURE_FONTS.text}}`,
  `code,pre,td.text{font-family:${PICTURE_FONTS.code};font-size:12.5px}`,
  'h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 4px}h3{font-size:16px;margin:36px 0 6px;border-top:1px solid var(--line);padding-top:16px}h4{font-size:14px;margin:16px 0 4px}',
  'p,h1,h2,h3{overflow-wrap:anywhere}.pre{white-space:pre-wrap}.place{white-space:nowrap}',
  'p{margin:6px 0}.muted{color:var(--picture-muted)}.good{color:var(--good)}.bad{color:var(--bad)}a{color:var(--link)}',
  'pre{background:var(--panel);padding:10px 12px;margin:8px 0;white-space:pre-wrap;overflow-wrap:anywhere}',
  '.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}',
  'table{border-collapse:collapse;width:100%;margin:8px 0}',
  'th,td{border-bottom:1px solid var(--line);padding:5px 10px 5px 0;text-align:left;vertical-align:top}',
  'th{font-size:12px;color:var(--picture-muted);font-weight:600;white-space:nowrap}',
  '.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}td.text{overflow-wrap:anywhere;min-width:240px}',
  '.switch{border:0;padding:0;margin:8px 0;display:flex;gap:16px}.switch legend{float:left;padding:0 16px 0 0;color:var(--picture-muted)}',
  '.rule:has(.by-measured:checked) .of-estimate,.rule:has(.by-estimate:checked) .of-measured{display:none}',
  '.key{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--picture-muted);margin:6px 0;padding:0;list-style:none}',
  '.key i{display:inline-block;width:12px;height:12px;margin-right:5px;vertical-align:-1px}',
  ...[0, 1, 2, 3, 4].map((i) => `.key .fill-${i}{background:var(--picture-fill-${i})}`),
  'summary{cursor:pointer}ul{margin:4px 0;padding-left:20px}',
  '@media print{.scroll{overflow:visible}}',
].join('\n');
