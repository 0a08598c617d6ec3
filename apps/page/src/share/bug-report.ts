import { minorWords } from '#kube';
import type { Evaluation } from '../judge/judge-client.ts';
import type { PageState } from '../state/page-state.ts';
import { PANES, PANE_WORDS } from '../state/texts.ts';

/** Returns a bug report in Markdown for an issue: the texts of the page's input panels, and the verdicts on them. */
export function bugReport({ texts, minor }: PageState, result: Evaluation | undefined): string {
  const reports = result === undefined ? [] : [...result.definitions, ...result.policies, ...result.objects];
  const verdicts = reports
    .map(({ title, outcome, message }) => `${title}: ${outcome}${message === undefined ? '' : `\n  ${message}`}`)
    .join('\n');
  const panes = PANES.filter((pane) => texts[pane].trim() !== '').map((pane) => `## ${PANE_WORDS[pane]}\n\n${fenced(texts[pane], 'yaml')}`);
  return [
    '# Assay says something else than the API server',
    `Kubernetes ${minorWords(minor)}, judged in the page`,
    '## What I expected\n\n(Please say what a server answers, and which one.)',
    `## What Assay says\n\n${fenced(verdicts, 'text')}`,
    ...panes,
  ].join('\n\n');
}

/** Returns a Markdown code block with the text. The fence of the block is longer than any sequence of backticks in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}
