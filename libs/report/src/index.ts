export { costNodes } from './cost-picture/cost-node.ts';
export type { CostNode, PricedTree, PriceKind } from './cost-picture/cost-node.ts';
export { costDescription, dearestParts } from './cost-picture/cost-words.ts';
export { drawIcicle } from './cost-picture/draw-icicle.ts';
export type { PictureOptions } from './cost-picture/draw-icicle.ts';
export { layOutIcicle } from './cost-picture/lay-out-icicle.ts';
export type { Icicle, IcicleCell, IcicleSize } from './cost-picture/lay-out-icicle.ts';
export { escapedMarkup } from './cost-picture/markup.ts';
export { PICTURE_FONTS, PICTURE_STYLE, PICTURE_THEMES, SHADE_FROM } from './cost-picture/picture-colors.ts';
export type { PictureTheme, Shade } from './cost-picture/picture-colors.ts';
export { causeHeading, causeSentences, ruleInLine } from './forms/cause-words.ts';
export { cutText } from './forms/cut-text.ts';
export { junitXml } from './forms/junit.ts';
export type { JunitCase, JunitSuite } from './forms/junit.ts';
export { markdownBlock, markdownCell, markdownCode, markdownTable } from './forms/markdown.ts';
export { pagePolicy } from './forms/page-policy.ts';
export { sarifLog } from './forms/sarif.ts';
export type { SarifRegion, SarifResult } from './forms/sarif.ts';
export { canCommand, escapedInQuotes, indented, jsonText, shownInLine, shownText } from './forms/shown-text.ts';
export { traceAddress } from './forms/trace-address.ts';
export { workflowCommand } from './forms/workflow-command.ts';
export type { Annotation } from './forms/workflow-command.ts';
export { helpText, SERIES_HEADINGS, seriesCells } from './study/policy-words.ts';
export { readStudyReport } from './study/read-report.ts';
export {
  costChangeText,
  growingFields,
  growthName,
  NOT_FINISHED,
  ratioText,
  refusedFrom,
  timeChangeText,
  withUnfinishedNote,
} from './study/study-words.ts';
export { againstText, unusableDefinitions } from './study/unusable-definitions.ts';
