/**
 * A string as JSON writes it between its quotes, without its escapes; undefined where they are wrong, or make a lone surrogate, which Go replaces. The runtime
 * puts it together: pieces that are added would stay a tree to V8, and functions that have met one are slower for all strings.
 */
export function unescaped(text: string): string | undefined {
  try {
    const value = JSON.parse(`"${text}"`) as string;
    return value.isWellFormed() ? value : undefined;
  } catch {
    return undefined;
  }
}
