import type { Family } from '../attack.ts';
import { tablesOf } from '../input-tables.ts';
import { posted } from '../send.ts';
import { ruled } from './judged.ts';

/** Texts that may do harm where they are displayed: in terminals, pages, logs and tables. */
const TEXTS = tablesOf('text').texts('texts');

/**
 * Attacks with names, messages and values that other programs would interpret as commands. Answers must be JSON that contains the texts
 * unchanged.
 */
export const text: Family = {
  name: 'text',
  shapes: ['keyed', 'embedded', 'fleet'],
  attacks: () =>
    TEXTS.flatMap((one, i) => [
      posted(
        `text ${i + 1} as a name`,
        '/evaluate',
        ['json', JSON.stringify({ objects: [{ apiVersion: one, kind: one, metadata: { name: one, namespace: one } }] })],
        [200],
      ),
      posted(`text ${i + 1} in a rule's message`, '/evaluate', ['json', ruled('false', { s: one, message: 'self.s' })], [200], {
        says: /"outcome":"rejected"/,
      }),
      posted(`text ${i + 1} as an option`, '/evaluate', ['json', JSON.stringify({ options: { [one]: one }, objects: [{}] })], [400]),
    ]),
};
