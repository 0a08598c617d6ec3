import { createHash } from 'node:crypto';

/**
 * Returns the content security policy of a page that has one inline style sheet and loads no other resources. The policy forbids scripts.
 */
export function pagePolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}
