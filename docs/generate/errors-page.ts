import { LATEST_MINOR } from '#kube';
import type { Engine } from '#runner';
import recorded from '../../apps/api/src/description/generated/recorded-answers.json' with { type: 'json' };
import { MESSAGES } from '../../apps/cli/test/messages/cases.ts';
import type { MessageCase } from '../../apps/cli/test/messages/message-case.ts';
import { changedTexts, formsOfMessage, versionsInWords } from './text-forms.ts';
import type { ChangedText, TextForm } from './text-forms.ts';
import { upstreamLink } from './upstream-link.ts';

/**
 * Meaning and remedy of each HTTP status of the service. The message itself comes from the recorded answers
 * (apps/api/test/recorded-answers.spec.ts).
 */
const STATUSES: Readonly<Record<keyof typeof recorded.failures, { readonly meaning: string; readonly remedy: string }>> = {
  400: {
    meaning: 'The service cannot read the request. The message names the option or the part of the body.',
    remedy: 'Correct the request. The [HTTP API](http-api.md) lists options and bodies.',
  },
  401: {
    meaning: 'The service requires access keys, and the request has no valid one. The key may be unknown or expired.',
    remedy: 'Send `Authorization: Bearer TOKEN`. [Security](../explanation/security.md) describes keys and other identities.',
  },
  404: {
    meaning: 'This client has no such evaluation. The evaluation may have expired, or belong to another client.',
    remedy: 'Evaluate again. The service keeps results for a limited time ([settings](settings.md)).',
  },
  408: {
    meaning: 'The deadline of the request passed before there was an answer.',
    remedy: 'Set a longer `deadline`, send fewer objects, or use `POST /evaluate?wait=0`.',
  },
  413: {
    meaning: 'The body is longer than the service permits.',
    remedy: 'Send NDJSON, which has a larger limit, or split the batch. `ASSAY_MAX_BODY_BYTES` is the limit of JSON and YAML bodies.',
  },
  415: {
    meaning: 'The service does not read this media type.',
    remedy: 'Send `application/json`, `application/yaml` or `application/x-ndjson`.',
  },
  429: {
    meaning: 'A queue of the service is full, or the client has used up its share. The message names the limit.',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat the request. [Flow control](../explanation/flow-control.md) explains shares and queues.',
  },
  503: {
    meaning: 'The service is too busy, or its storage is unavailable.',
    remedy: 'Repeat the request after `Retry-After`. [Operations](../how-to/operate.md) describes the health checks.',
  },
};

/**
 * Returns the page about error messages, generated from the cases that the spec of the page checks. The engine judges each case in all
 * versions of Kubernetes.
 */
export async function errorsPage(engine: Engine): Promise<string> {
  const groups: string[] = [];
  for (const { title, cases } of MESSAGES) {
    const sections: string[] = [];
    for (const one of cases) sections.push(section(one, await formsOfMessage(one, engine)));
    groups.push(`## ${title}\n\n${sections.join('\n\n')}`);
  }
  const statuses = Object.entries(recorded.failures).map(([code, { body }]) => statusSection(Number(code), body.message));
  return `# Error messages

<!-- Generated from apps/cli/test/messages by \`npm run docs\`; apps/cli/test/messages/messages.spec.ts produces each message. -->

For everybody who searches for an error message of an API server, or of Assay.
What does the message mean, and what can you do about it?

Search this page for a part of your message without names and numbers. Each entry shows the message of Kubernetes ${LATEST_MINOR}, unless the entry names another version. Below the message are lines that cause it.
If other versions of Kubernetes have other texts, the entry shows them, too.
If these lines have two parts, the first part is the schema of \`spec\`, and the second part belongs to an object. Advice *as the author* is for the author of the definition or policy. Paste your files into [the page](../how-to/browser-page.md), or give them to
\`assay evaluate\`, to see the place of the error.

${MESSAGES.map(({ title }) => `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`).join('\n')}
- [Texts that changed](#texts-that-changed)
- [Statuses of the service](#statuses-of-the-service)

${groups.join('\n\n')}

## Texts that changed

The list contains the changes of texts between versions of Kubernetes, each with an example. [Versions](../explanation/versions.md) shows the lines that cause these messages.

${(await changedTexts(engine)).map(changedText).join('\n\n')}

## Statuses of the service

The service answers with a \`metav1.Status\`, as an API server does.

${statuses.join('\n\n')}
`;
}

/** Maximum number of characters in a heading. */
const HEADING = 80;

/** Returns a change of a text: the sentence of the ledger, and the forms of the text. */
const changedText = ({ sentence, upstream, forms }: ChangedText): string =>
  `- ${sentence} (${upstreamLink(upstream)}).\n\n${formBlock(forms).replaceAll(/^(?=.)/gm, '  ')}`;

/** Returns the forms of a text as a block of code, each with its versions. */
function formBlock(forms: readonly TextForm[]): string {
  const lines = forms.map(({ text, minors }) => `${versionsInWords(minors)}: ${text.replaceAll('\n', '\n      ')}`);
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\``;
}

function section({ message, cause, meaning, remedy }: MessageCase, forms: readonly TextForm[]): string {
  const [line = ''] = message.split('\n');
  const heading = line.length > HEADING ? `${line.slice(0, line.lastIndexOf(' ', HEADING))} …` : line;
  return `### ${inCode(heading)}

\`\`\`text
${message}
\`\`\`

${meaning}
${forms.length < 2 ? '' : `\nThe first line of the message in each version:\n\n${formBlock(forms)}\n`}
\`\`\`yaml
${cause}
\`\`\`

**What to do.** ${remedy}`;
}

function statusSection(code: number, message: string): string {
  const { meaning, remedy } = STATUSES[String(code) as keyof typeof STATUSES];
  return `### ${code}

\`\`\`text
${message}
\`\`\`

${meaning}

**What to do.** ${remedy}`;
}

/** Returns `text` as a Markdown code span, even if it contains back quotes. */
const inCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
