import { dump } from 'js-yaml';
import type { OutputForm } from './read-arguments.ts';

/** Writes a result in the form that was asked for. */
export function print(form: OutputForm, value: unknown, text: () => string): void {
  const written =
    form === 'text'
      ? text()
      : form === 'json'
        ? `${JSON.stringify(value, null, 2)}\n`
        : dump(JSON.parse(JSON.stringify(value)), { lineWidth: 140 });
  process.stdout.write(written);
}
