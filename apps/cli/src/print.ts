import { dump } from 'js-yaml';
import type { OutputForm } from './read-arguments.ts';
import { shownText } from './shown-text.ts';

/** Writes a result in the form that was asked for; the text for people without what could command a terminal. */
export function print(form: OutputForm, value: unknown, text: () => string): void {
  const written =
    form === 'text'
      ? shownText(text())
      : form === 'json'
        ? `${JSON.stringify(value, null, 2)}\n`
        : dump(JSON.parse(JSON.stringify(value)), { lineWidth: 140 });
  process.stdout.write(written);
}

/** Writes a sentence to standard error. */
export function tellOnStderr(problem: string): void {
  process.stderr.write(`${shownText(`assay: ${problem}`)}\n`);
}
