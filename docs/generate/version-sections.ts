import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { answerOf } from '../../apps/cli/test/versions/answer-of.ts';
import type { Example } from '../../apps/cli/test/versions/example.ts';
import { SHOWN_DIFFERENCES } from '../../apps/cli/test/versions/ledgers.ts';
import type { ShownDifference } from '../../apps/cli/test/versions/ledgers.ts';
import { upstreamLink } from './upstream-link.ts';
import { declaredChanges, STEPS } from './version-changes.ts';

/** Returns a section for each version, newest first. The engine gives the answers to the examples. */
export async function versionSections(engine: Engine): Promise<string> {
  const sections: string[] = [];
  for (const [before, minor] of STEPS) sections.push(await versionSection(before, minor, engine));
  return sections.join('\n\n');
}

async function versionSection(before: Minor, minor: Minor, engine: Engine): Promise<string> {
  const { functions, changed, removed, formats, gates } = declaredChanges(before, minor);
  const differences = SHOWN_DIFFERENCES.filter(({ since }) => since === minor);
  const entries: string[] = [];
  for (const difference of differences) entries.push(await entryOf(difference, engine));
  return [
    `### ${minor}`,
    ...(functions === '' ? [] : [`New rules may use these functions from ${minor} on: ${functions}.`]),
    ...(changed === '' ? [] : [`[Functions](../reference/functions.md) describes what ${minor} changed in ${changed}.`]),
    ...(removed === '' ? [] : [`${minor} removed a signature of these functions: ${removed}.`]),
    ...(formats === '' ? [] : [`Servers check these string formats from ${minor} on (dashes do not matter): ${formats}.`]),
    ...(gates === '' ? [] : [`These [feature gates](#feature-gates) are on by default from ${minor} on: ${gates}.`]),
    ...entries,
  ].join('\n\n');
}

async function entryOf({ sentence, upstream, example, versions }: ShownDifference, engine: Engine): Promise<string> {
  const answers: string[] = [];
  for (const version of versions) {
    const { text } = await answerOf(example, version, engine);
    answers.push(`${version}: ${text.replaceAll('\n', '\n      ')}`);
  }
  const block = [shownInput(example), `\`\`\`text\n${answers.join('\n')}\n\`\`\``].join('\n');
  return `- ${sentence} (${upstreamLink(upstream)}).\n\n${block.replaceAll(/^(?=.)/gm, '  ')}`;
}

/** Returns the expression or the documents of an example as a block of code. */
function shownInput(example: Example): string {
  if (!('expression' in example)) return `\`\`\`yaml\n${example.cause}\n\`\`\``;
  const { expression, schema, self } = example;
  if (schema === undefined || schema === 'type: object') return `\`\`\`cel\n${expression}\n\`\`\``;
  const value = self === undefined ? [] : [`self: ${self}`];
  return `\`\`\`yaml\n${[schema, ...value, `expression: ${expression}`].join('\n---\n')}\n\`\`\``;
}
