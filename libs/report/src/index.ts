export { costDescription, costNodes, costliestParts } from './cost-picture/cost-node.ts';
export type { CostNode, PricedTree, PriceKind } from './cost-picture/cost-node.ts';
export { drawIcicle, layOutIcicle } from './cost-picture/icicle.ts';
export type { Icicle, IcicleCell, IcicleSize, PictureOptions } from './cost-picture/icicle.ts';
export { escapedMarkup } from './cost-picture/markup.ts';
export { PICTURE_FONTS, PICTURE_STYLE, PICTURE_THEMES, SHADE_FROM } from './cost-picture/picture-colors.ts';
export type { PictureTheme, Shade } from './cost-picture/picture-colors.ts';
export { causeHeading, causeSentences, ruleInLine } from './forms/cause-words.ts';
export { canCommand, cutText, escapedInQuotes, indented, jsonText, shownInLine, shownText } from './forms/shown-text.ts';
export { junitXml } from './forms/junit.ts';
export type { JunitCase, JunitSuite } from './forms/junit.ts';
export { markdownBlock, markdownCell, markdownCode, markdownTable } from './forms/markdown.ts';
export { pagePolicy } from './forms/page-policy.ts';
export { sarifLog } from './forms/sarif.ts';
export type { SarifRegion, SarifResult } from './forms/sarif.ts';
export { traceAddress } from './forms/trace-address.ts';
export { workflowCommand } from './forms/workflow-command.ts';
export type { Annotation } from './forms/workflow-command.ts';
export { helpText, SERIES_HEADINGS, seriesCells } from './study/policy-words.ts';
export { readStudyReport } from './study/read-report.ts';
export {
  againstText,
  costChangeText,
  growingFields,
  growthName,
  NOT_FINISHED,
  ratioText,
  refusedFrom,
  timeChangeText,
  unusableDefinitions,
  withUnfinishedNote,
} from './study/study-words.ts';
