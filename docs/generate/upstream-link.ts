/** Owners of the repositories on GitHub whose pull requests the ledgers name. */
const OWNERS: Readonly<Record<string, string>> = { 'cel-go': 'cel-expr', kubernetes: 'kubernetes', 'kube-openapi': 'kubernetes' };

/** Returns an upstream change in Markdown: a link to a pull request such as `cel-go#1350`, or the name of a file. */
export function upstreamLink(upstream: string): string {
  const [, repository = '', number] = /^([a-z-]+)#(\d+)$/.exec(upstream) ?? [];
  if (number === undefined) return `\`${upstream}\``;
  const owner = OWNERS[repository];
  if (owner === undefined) throw new Error(`the owner of the repository of ${upstream} is not known`);
  return `[${upstream}](https://github.com/${owner}/${repository}/pull/${number})`;
}
