import { createHash } from 'node:crypto';

/** Returns the content security policy of a page that has one style sheet and asks for nothing else. It forbids scripts. */
export function pagePolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}
