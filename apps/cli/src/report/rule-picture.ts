import type { PartPrice } from '#documents';
import { grouped, roughPercent } from '#numbers';
import { Markup, markup } from '#report/charts';
import { costNodes, dearestParts, drawIcicle, layOutIcicle, SHADE_FROM } from '#report';
import type { CostNode, PriceKind } from '#report';
import type { FoldedRule } from './rule-summary.ts';

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
export function rulePicture(parts: PartPrice | undefined, { id, title }: PictureName): Markup {
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
  const name = `${title}, ${kind === 'estimate' ? 'by estimate' : 'the dearest evaluation as measured'}`;
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
  const rows = dearestParts(root).map(
    ({ node, share }) =>
      markup`<tr><td class="number">${roughPercent(share)}</td><td class="number">${grouped(node.own)}</td><td class="number">${grouped(node.total)}</td><td class="number">${grouped(node.evaluations ?? 0n)}</td><td class="number">${node.place?.line ?? ''}:${node.place?.column ?? ''}</td><td class="text">${node.text}</td></tr>`,
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Parts"><table><thead><tr><th scope="col" class="number">share</th><th scope="col" class="number">by itself</th><th scope="col" class="number">with its parts</th><th scope="col" class="number">evaluations</th><th scope="col" class="number">at</th><th scope="col">part</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Returns a chart with all rules of a definition side by side. The width of each rule is proportional to its maximum cost in an object. */
export function rulesPicture(rules: readonly FoldedRule[], id: string): Markup {
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
