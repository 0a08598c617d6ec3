import { factorText, grouped, percent, times } from '#numbers';
import { Markup, markup } from '#report/charts';
import { roomiestFirst } from '#documents';
import { EXPRESSION_COST_LIMIT, minorWords, SCHEMA_COST_LIMIT } from '#kube';
import type { Minor } from '#kube';
import { briefMessage } from '#editing';
import { packageVersion } from '#telemetry';
import { pagePolicy } from '#report';
import type { PlacedDefinition, PlacedExplanation } from '../explain.ts';
import { boundText, suggestionText } from './bound-words.ts';
import { isBesidePrices } from './beside-prices.ts';
import { PAGE_STYLE } from './page-style.ts';
import { rulesPicture, rulePicture } from './rule-picture.ts';
import { foldSchemas, foldVersions, summaryRows, SUMMARY_HEADINGS, TO_THE_RIGHT } from './rule-summary.ts';
import type { FoldedRule } from './rule-summary.ts';
import { placeText } from './words.ts';

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
  'The estimate is what one evaluation may cost at most under the bounds of the schema; measured is what the dearest evaluation did cost in the objects that were given.';

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
${adviceList(definition)}
${rules.map((rule, i) => ruleSection(rule, { objects, id: `${id}-r${i + 1}` }, i + 1))}
</section>`;
}

function summaryTable(rules: readonly FoldedRule[], id: string): Markup {
  const rows = rules.flatMap((rule, i) => summaryRows(rule, i + 1).map((cells) => ({ cells, section: `${id}-r${i + 1}` })));
  const columns = SUMMARY_HEADINGS.map((_, i) => i).filter((i) => rows.some(({ cells }) => cells[i] !== ''));
  const side = (i: number): string =>
    TO_THE_RIGHT.has(SUMMARY_HEADINGS[i] ?? '') ? 'number' : SUMMARY_HEADINGS[i] === 'LINE' ? 'place' : 'text';
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
    : markup`<p>Measured ${times(measured.evaluations, 'evaluation')} in ${times(measured.objects, 'object')}, ${grouped(measured.cost)} units together; the dearest evaluation ${grouped(measured.dearest.cost)} units, ${percent(measured.dearest.cost / Number(rule.maxCost))} of the estimate (${objects[measured.dearest.object]?.source ?? ''}${measured.dearest.at === '<nil>' ? '' : ` ${measured.dearest.at}`}).</p>`
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
  const ways = roomiestFirst(suggestions ?? []).map((one) => markup`<li><code>${suggestionText(one)}</code></li>`);
  return markup`${listed.length === 0 ? markup`` : markup`<h4>${title}</h4><ul>${listed}</ul>`}
${ways.length === 0 ? markup`` : markup`<h4>Each of these would bring it under the limit</h4><ul>${ways}</ul>`}
${suggestions?.length === 0 ? markup`<p>No bound brings it under the limit: the rule itself must cost less.</p>` : markup``}`;
}
