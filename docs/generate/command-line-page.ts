import { helpPages } from '../../apps/cli/src/options/read-arguments.ts';

/** Returns docs/reference/command-line.md, generated from the help text of each command. */
export function commandLinePage(): string {
  const pages = helpPages().map(
    ({ name, text }) => `## ${name === 'assay' ? 'assay' : `assay ${name}`}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`,
  );
  const head = `# Command line

<!-- Generated from apps/cli/src/options/read-arguments.ts by \`npm run docs\`. -->

For users of the command line.
Which commands and options are there?

In a clone, write \`./assay\` instead of \`assay\`.

The tables of \`explain\` and \`bench\` are at most as wide as the environment variable \`COLUMNS\` says, or as the terminal. In a pipe or a file, the tables
have their full width, with the whole text of each rule.
`;
  return [head, ...pages].join('\n');
}
