import { times } from '#numbers';
import { markdownBlock, markdownCell, markdownCode, markdownTable } from '#report';
import { RULE_HEADINGS } from './matrix-study.ts';
import type { MatrixStudy, StudiedDefinition } from './matrix-study.ts';

/**
 * Returns a report about definitions on which Kubernetes versions differ, as Markdown. The part about each definition can stand alone, for
 * example in an issue of its project.
 *
 * @param chart Address of a picture of the costs of all rules; undefined if there is none.
 */
export function matrixMarkdown(
  { title, introduction, verdicts, causes, definitions, origin }: MatrixStudy,
  chart: string | undefined,
): string {
  return `${[
    `# ${markdownCell(title)}`,
    ...introduction.flatMap((sentence) => ['', sentence]),
    ...markdownTable(
      ['Verdict', 'Definitions'],
      verdicts.map(([words, count]) => [words, String(count)]),
    ),
    ...(causes.length === 0
      ? []
      : [
          '',
          'Causes of different verdicts:',
          ...bulleted(causes.map(([sentence, count]) => `${times(count, 'definition')}: ${sentence}`)),
        ]),
    ...(chart === undefined ? [] : ['', `![Share of the limit that each rule takes on the first and on the last version](${chart})`]),
    ...definitions.flatMap(definitionMarkdown),
    '',
    '## How this report was made',
    ...origin.flatMap((sentence) => ['', sentence]),
  ].join('\n')}\n`;
}

function definitionMarkdown({ name, place, verdict, errors, causes, additions }: StudiedDefinition): string[] {
  return [
    '',
    `## ${markdownCode(name)}`,
    '',
    `${markdownCell(place)}: ${verdict}.`,
    ...errors.flatMap(({ minors, text }) => ['', `The error on ${minors}:`, ...markdownBlock(text, 'text')]),
    ...causes.flatMap(({ heading, sentences, rules, sums }) => [
      '',
      `**${heading}:** ${sentences.join('; ')}.`,
      ...markdownTable(RULE_HEADINGS, rules),
      ...sums.flatMap((sum) => ['', sum]),
    ]),
    ...(additions === undefined ? [] : ['', markdownCell(additions.sentence), ...bulleted(additions.bounds.map(markdownCode))]),
  ];
}

const bulleted = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', ...lines.map((line) => `- ${line}`)]);
