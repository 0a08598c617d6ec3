import { featureGates, LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import type { MessageCase } from '../../apps/cli/test/messages/message-case.ts';
import { messagesOf } from '../../apps/cli/test/messages/messages-of.ts';
import { answerOf } from '../../apps/cli/test/versions/answer-of.ts';
import type { Example } from '../../apps/cli/test/versions/example.ts';
import { SHOWN_DIFFERENCES } from '../../apps/cli/test/versions/ledgers.ts';

/** Text of an error, with the versions whose servers answer with it. */
export interface TextForm {
  readonly text: string;
  readonly minors: readonly [Minor, ...Minor[]];
}

/** Returns the versions of a form in words, such as `1.30 to 1.33`. */
export function versionsInWords(minors: TextForm['minors']): string {
  const last = minors.at(-1);
  return last === minors[0] ? minors[0] : `${minors[0]} to ${last}`;
}

/** Returns all forms of the first line of a message, oldest first. Versions whose servers do not refuse the case have no form. */
export async function formsOfMessage(one: MessageCase, engine: Engine): Promise<TextForm[]> {
  const [message = ''] = one.message.split('\n');
  const lines = (await messagesOf(one, one.kubernetesVersion ?? LATEST_MINOR, engine)).split('\n');
  const index = lines.findIndex((line) => line.includes(message));
  const [before = '', ...after] = lines[index]?.split(message) ?? [];
  const forms: (string | undefined)[] = [];
  for (const minor of MINORS) {
    const others = (await messagesOf(one, minor, engine)).split('\n');
    const candidates = others.length === lines.length ? [others[index] ?? ''] : others;
    forms.push(formWithin(candidates, before, after.join(message)) ?? formContaining(others, message) ?? formAfter(candidates, before));
  }
  return grouped(forms);
}

/** Returns what stands between two texts in the first of the lines that begins and ends with them. */
function formWithin(lines: readonly string[], before: string, after: string): string | undefined {
  const line = lines.find((one) => one.length > before.length + after.length && one.startsWith(before) && one.endsWith(after));
  return line?.slice(before.length, line.length - after.length);
}

/** Returns the message if a line contains it, even if other words of the line differ. */
const formContaining = (lines: readonly string[], message: string): string | undefined =>
  lines.some((line) => line.includes(message)) ? message : undefined;

/** Returns what follows a text in the first of the lines that begins with it. */
const formAfter = (lines: readonly string[], before: string): string | undefined =>
  lines.find((line) => line.length > before.length && line.startsWith(before))?.slice(before.length);

/** Text that differs between versions: the sentence of the ledger, and all forms of the text of its example. */
export interface ChangedText {
  readonly sentence: string;
  readonly upstream: string;
  readonly forms: readonly TextForm[];
}

/** Returns the differences in the ledgers that change the text of an error or warning, newest first, with all forms of the text. */
export async function changedTexts(engine: Engine): Promise<ChangedText[]> {
  const changed: ChangedText[] = [];
  const newestFirst = SHOWN_DIFFERENCES.toSorted((a, b) => MINORS.indexOf(b.since) - MINORS.indexOf(a.since));
  for (const { sentence, upstream, example, versions } of newestFirst) {
    const [before, since] = [await answerOf(example, versions[0], engine), await answerOf(example, versions[1], engine)];
    if (!before.isMessage || !since.isMessage) continue;
    const forms: (string | undefined)[] = [];
    for (const minor of MINORS) {
      const answer = knowsGates(example, minor) ? await answerOf(example, minor, engine) : undefined;
      forms.push(answer?.isMessage === true ? answer.text : undefined);
    }
    changed.push({ sentence, upstream, forms: grouped(forms) });
  }
  return changed;
}

const knowsGates = (example: Example, minor: Minor): boolean =>
  'expression' in example || example.featureGates === undefined || featureGates(minor, example.featureGates).ok;

/** Groups the texts of all versions, in the order of `MINORS`, into forms. */
function grouped(texts: readonly (string | undefined)[]): TextForm[] {
  const forms: { readonly text: string; readonly minors: [Minor, ...Minor[]] }[] = [];
  let last: string | undefined;
  for (const [index, minor] of MINORS.entries()) {
    const text = texts[index];
    const form = forms.at(-1);
    if (text !== undefined) {
      if (text === last && form !== undefined) form.minors.push(minor);
      else forms.push({ text, minors: [minor] });
    }
    last = text;
  }
  return forms;
}
