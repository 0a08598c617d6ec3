/** Label of a report with its texts, each of which is a line. */
export type Fact = readonly [label: string, ...texts: readonly string[]];

/** Width of the first column of a report, in characters. */
const LABEL = 12;

/** Returns facts as lines of text, with the labels in a first column. Labels without texts have no line. */
export const factsText = (facts: readonly Fact[]): string =>
  facts.flatMap(([label, ...texts]) => texts.map((text, i) => `${(i === 0 ? label : '').padEnd(LABEL)}${text}\n`)).join('');
