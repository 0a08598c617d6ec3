import { KEYWORDS } from '#crd';
import type { Keyword } from '#crd';
import { MINORS, withPreviewNotice } from '#kube';

const INTRODUCTION = `# Schema keywords

<!-- Generated from the declarations in libs/crd/src/keywords by \`npm run docs\`. -->

For authors of definitions, and for contributors.
Which keywords may a schema have, and what does a change of each keyword do?

The columns of the table mean:

- *Versions*: ${withPreviewNotice('the Kubernetes versions that know the keyword')}.
- *Allowed in …*: whether a schema may use the keyword inside \`allOf\`, \`anyOf\`, \`oneOf\` and \`not\`. *No error* means that servers accept the keyword there, but not all versions apply it.
- *Kinds of values that the keyword can refuse*: if the cell is empty, the keyword refuses no value.
- *Parts of Assay that check the keyword* (for contributors): \`exact\` is the general check, which can decide every case. The other checks are faster, and leave difficult cases
  to the general check. \`reader\` is generated code that reads an object by its schema. \`words\` compares the bytes of a text with the allowed texts. \`list\` checks only the smallest and the greatest scalar of a
  list. \`column\` checks only the length of a list.
- *Effect of a change on stored objects*: what \`assay diff\` reports if the keyword changes. *Breaking* means that a server may refuse stored objects after the change. An empty cell means no effect.

| Keyword | Versions | Allowed in \`allOf\`, \`anyOf\`, \`oneOf\` and \`not\`? | Kinds of values that the keyword can refuse | Parts of Assay that check the keyword | Effect of a change on stored objects |
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

## What the keywords mean

${KEYWORDS.keywords.flatMap(({ name, docs }) => (docs === undefined ? [] : [`- \`${name}\`: ${docs.doc}`])).join('\n')}
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

function kindsOf({ appliesTo }: Keyword): string {
  if (appliesTo.length === 0) return '';
  if (appliesTo.length >= KIND_NAMES.length - 1) return appliesTo.length === KIND_NAMES.length ? 'all' : 'all but null';
  return appliesTo.map((kind) => KIND_NAMES[kind]).join(', ');
}

function waysOf({ appliesTo, fastPaths }: Keyword): string {
  if (appliesTo.length === 0) return '';
  const fast = [fastPaths.code && 'reader', fastPaths.allowedTexts && 'words', fastPaths.between && 'list', fastPaths.column && 'column'];
  return ['exact', ...fast.filter((way) => way !== undefined)].join(', ');
}

function changeOf({ change }: Keyword): string {
  switch (change.kind) {
    case 'bound':
      return `breaking if set, or changed to a ${change.tighter} value`;
    case 'restriction':
      return 'breaking if set';
    case 'permission':
      return `breaking if removed: ${change.lost}`;
    case 'exact':
      return change.loosenedByRemoval ? 'breaking, unless removed' : 'breaking';
    case 'values':
      return 'breaking if values are removed';
    case 'fields':
      return 'breaking if fields are added';
    case 'rules':
      return 'breaking if rules are added';
    case 'structure':
      return '`assay diff` compares the schemas below this keyword';
    case 'none':
      return '';
  }
}
