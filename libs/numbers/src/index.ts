export { costWords, exactCost, limitText } from './cost-words.ts';
export { costText, shortCost } from './costs.ts';
export { grouped, times } from './counts.ts';
export { latencyText, spentText, timeText } from './durations.ts';
export { bytesText, countedText, countText, fixedText, growthText, rangeText, shareText, significantText, timesText } from './figures.ts';
export {
  changedShare,
  changeShare,
  columnShare,
  costShare,
  factorText,
  finePercent,
  percent,
  roughPercent,
  shareOrMultiple,
} from './shares.ts';
export { digits, NOT_MEASURED } from './significant.ts';
