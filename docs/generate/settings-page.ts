import type { z } from 'zod';
import { apiEnvironment } from '../../apps/api/src/config.ts';

/** Returns the page about the service's environment variables, generated from their schema. */
export function settingsPage(): string {
  return `# Settings

<!-- Generated from apps/api/src/config.ts by \`npm run docs\`. -->

For operators of a service.
Which environment variables does a service read, and what are their defaults?

If a variable has an invalid value, the process does not start, and its error names the variable. Tracing also reads the \`OTEL_*\` variables of OpenTelemetry
([traces](../how-to/traces.md)). [Limits of a service](limits.md) says what happens at each limit. The table uses these words:

- A *flow* is one client's share of the service, usually one access key ([flow control](../explanation/flow-control.md)).
- An *evaluation* is a batch of objects with its definitions. A *chunk* is a part of an evaluation that one engine thread judges.
- A *body that is read whole* is a body of JSON or YAML. The service answers NDJSON bodies line by line instead.

${table(apiEnvironment.shape)}
`;
}

function table(shape: Readonly<Record<string, z.ZodType>>): string {
  const rows = Object.entries(shape).map(([name, setting]) => {
    if (!setting.description) throw new Error(`${name} has no description`);
    return `| \`${name}\` | ${setting.description.replaceAll('|', '\\|')} | ${defaultOf(name, setting)} |`;
  });
  return ['| Variable | Meaning | Default |', '|---|---|---|', ...rows].join('\n');
}

/** Returns the default value of a setting as text. */
function defaultOf(name: string, setting: z.ZodType): string {
  // The machine's, which the page must not depend on.
  if (name === 'ASSAY_THREADS') return 'the cores of the machine';
  const { def } = setting as z.ZodDefault;
  if (def.type !== 'default') return setting.safeParse(undefined).success ? '' : 'required';
  const value = def.defaultValue;
  const bytes = name.endsWith('_BYTES') && typeof value === 'number' ? ` (${inBytes(value)})` : '';
  return `\`${String(value)}\`${bytes}`;
}

function inBytes(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GiB` : `${bytes / 1024 ** 2} MiB`;
}
