import { PROCESS_ROLES, settingsIn } from '../../apps/api/src/settings/setting.ts';
import type { Setting } from '../../apps/api/src/settings/setting.ts';
import { OTHER_VARIABLES, SETTINGS } from '../../apps/api/src/settings/table.ts';

/** Returns the page about the environment variables of a service, generated from the table of its settings. */
export function settingsPage(): string {
  return `# Settings

<!-- Generated from apps/api/src/settings/table.ts by \`npm run docs\`. -->

For operators of a service.
Which environment variables does a service read, and what are their defaults?

If a variable has an invalid value, the process does not start, and its error names the variable and the allowed values. If a variable begins with \`ASSAY_\` and is not a setting,
the process logs a warning with the most similar setting. [Limits of a service](limits.md) says what happens at each limit. The table uses these words:

- A *flow* is one client's share of the service, usually one access key ([flow control](../explanation/flow-control.md)).
- An *evaluation* is a batch of objects with its definitions. A *chunk* is a part of an evaluation that one engine thread judges.
- A *body that is read whole* is a body of JSON or YAML. The service answers NDJSON bodies line by line instead.
- *Secret* means that the value, or the content of the file, is secret. No error and no log contains it.
- *Roles* are the values of \`ASSAY_ROLE\` with which a process uses the setting.

${markdownTable(['Variable', 'Meaning', 'Values', 'Default', 'Roles'], settingsIn(SETTINGS).map(settingRow))}

## Other variables

The names that begin with \`OTEL_\` are variables of OpenTelemetry. It also reads further variables ([traces](../how-to/traces.md)).

${markdownTable(
  ['Variable', 'Meaning'],
  Object.entries(OTHER_VARIABLES).map(([variable, meaning]) => [`\`${variable}\``, meaning]),
)}
`;
}

function settingRow({ variable, doc, allowed, isSecret, default: { text }, roles }: Setting<unknown>): readonly string[] {
  const values = `${allowed.replace(/^an? /, '')}${isSecret ? '; secret' : ''}`;
  return [
    `\`${variable}\``,
    doc,
    values,
    text,
    roles.length === PROCESS_ROLES.length ? 'all' : roles.map((role) => `\`${role}\``).join(', '),
  ];
}

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}
