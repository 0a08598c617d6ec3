/** Text made safe for HTML and XML, in content and in attributes. */
export const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? character,
  );

/** Prose of a finding: `code` between back-ticks becomes code, the rest is text. */
export const prose = (text: string): string =>
  text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join('');
