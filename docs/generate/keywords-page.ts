import { KEYWORDS } from '#crd';
import type { Keyword } from '#crd';
import { MINORS } from '#kube';

const INTRODUCTION = `# Schema keywords

<!-- Generated from the declarations in libs/crd/src/keywords by \`npm run docs\`. -->

For authors of definitions, and for contributors.
Which keywords may a schema have, and what does a change of each keyword do?

- *Minors*: the servers that know the keyword.
- *In branches*: whether \`allOf\`, \`anyOf\`, \`oneOf\` and \`not\` may hold it.
- *Asks of*: the kinds of values that it can refuse. A keyword without any refuses no value.
- *Decided by*: the exact check decides every keyword. *Reader* is generated code that reads a value by its schema. *Words* are texts that the reader recognises
  on the bytes. *List* judges all scalars of a list by the least and the greatest of them. *Column* judges a list by its length alone.
  The exact check decides everything else.
- *If it changes*: the effect that \`assay diff\` names.

| Keyword | Minors | In branches | Asks of | Decided by | If it changes |
|---|---|---|---|---|---|
`;

/**
 * Returns the page about all schema keywords. It is generated from the declarations from which decoder, checks, readers, diff and editor
 * support are derived.
 */
export function keywordsPage(): string {
  const rows = KEYWORDS.keywords.map(
    (keyword) =>
      `| ${[`\`${keyword.name}\``, minorsOf(keyword), NESTING[keyword.nesting], kindsOf(keyword), waysOf(keyword), changeOf(keyword)].join(' | ')} |`,
  );
  return `${INTRODUCTION}${rows.join('\n')}

## What they mean

${KEYWORDS.keywords.flatMap(({ name, words }) => (words === undefined ? [] : [`- \`${name}\`: ${words.doc}`])).join('\n')}
`;
}

const NESTING: Readonly<Record<Keyword['nesting'], string>> = {
  allowed: 'yes',
  forbidden: 'no',
  documentation: 'no error',
  structure: 'yes',
  unsupported: 'refused everywhere',
};

const minorsOf = ({ since }: Keyword): string => (since === undefined ? `${MINORS[0]} – ${MINORS.at(-1)}` : `1.${since} –`);

const KIND_NAMES = ['null', 'booleans', 'integers', 'numbers', 'strings', 'lists', 'objects'] as const;

function kindsOf({ concerns }: Keyword): string {
  if (concerns.length === 0) return '';
  if (concerns.length >= KIND_NAMES.length - 1) return concerns.length === KIND_NAMES.length ? 'all' : 'all but null';
  return concerns.map((kind) => KIND_NAMES[kind]).join(', ');
}

function waysOf({ concerns, ways }: Keyword): string {
  if (concerns.length === 0) return '';
  const fast = [ways.code && 'reader', ways.words && 'words', ways.between && 'list', ways.column && 'column'];
  return ['exact', ...fast.filter((way) => way !== undefined)].join(', ');
}

function changeOf({ change }: Keyword): string {
  switch (change.kind) {
    case 'bound':
      return `tightened by a ${change.tighter} value`;
    case 'restriction':
      return 'breaking if set';
    case 'permission':
      return change.lost;
    case 'exact':
      return change.loosenedByRemoval ? 'breaking, unless removed' : 'breaking';
    case 'values':
      return 'breaking if values go';
    case 'fields':
      return 'breaking if fields are added';
    case 'rules':
      return 'breaking if rules are added';
    case 'structure':
      return 'compared by itself';
    case 'none':
      return '';
  }
}
