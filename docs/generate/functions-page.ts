import { minorRange, MINORS } from '#kube';
import type { Minor } from '#kube';
import { costVersion } from '../../libs/cel/src/library/cost-version.ts';
import { FUNCTIONS } from '../../libs/cel/src/library/all.ts';
import { JSON_PATCH_FUNCTIONS } from '../../libs/cel/src/library/kubernetes/json-patch.ts';
import { nominal, oneUnit } from '../../libs/cel/src/library/formulas.ts';
import { typeText } from '../../libs/cel/src/values/types/type.ts';
import type { FunctionDeclaration, Overload, FormulaText } from '../../libs/cel/src/library/define.ts';

const INTRODUCTION = `# CEL functions

<!-- Generated from the declarations in libs/cel/src/library by \`npm run docs\`. -->

For authors of rules and policies.
Which functions does CEL have in Kubernetes, from which version on, and what do they cost?

*Since 1.N* means: in new expressions, servers accept the signature from version 1.N+1 on. In stored expressions, a server accepts every function
that it knows. *Servers* says which versions know the signature in this form. It is absent if all versions from ${minorRange('to')} know it.
If a signature has several lines, its behavior changed.

Tests execute the examples and the formulas.

## How to read the costs

*Estimate* is the highest cost of a call within the bounds of the schema. It decides if a server accepts a definition. *Cost* is what the server
charges when the call runs. If an entry has only a cost, the estimate has the same formula. The server charges the evaluation of the operands
separately. Versions in parentheses are the versions that use the formula.

| Notation | Meaning |
|---|---|
| \`x\`, \`y\`, \`z\` | the operands in order, the receiver of a method first |
| \`size(x)\` | the number of bytes, of code points of a string, of elements of a list, or of entries of a map. The size of an IP address is 4 or 16. The size of a network is the number of bytes of its prefix. Other values have size 1. An estimate uses the largest size that the schema allows (2^64 − 1 without a bound) |
| \`least(x)\` | the smallest size that the schema allows |
| \`size(result)\` | the size of the result |
| \`size(element)\` | the largest size of an element of \`x\` that the schema allows |
| \`traversal(x)\` | ⌊0.1 × number of bytes⌋ for a string or bytes. For a list, the sum over its elements. For a map, the sum over its keys and values. For other values, 1 |
| \`pattern(x)\` | the size of the pattern of a format, from 30 for a label to 1103 for a URI |
| \`cost(x)\` | the cost of evaluating an operand |
| \`value(x)\` | the value of the int \`x\` |
| \`literal(x, n)\` | the value of \`x\` if it is an int literal (0 if it is negative), otherwise n |
| \`⌈…⌉\`, \`⌊…⌋\` | rounded up, rounded down |
| \`∞\` | 2^64 − 1. In an estimate, sums and products are at most ∞, and differences at least 0 |

If the right operand of \`in\` is a list of constants, the call costs nothing when it runs. Estimates above 2^53 are rounded to a float64.
`;

/**
 * Returns the page about all CEL functions of Assay. It is generated from the declarations that the checker, the estimator and both engines
 * use.
 */
export function functionsPage(): string {
  const libraries = Map.groupBy([...FUNCTIONS, ...JSON_PATCH_FUNCTIONS], ({ library }) => library);
  const sections = [...libraries].map(([library, functions]) => [`## ${library}`, '', ...functions.flatMap(functionEntry)].join('\n'));
  return `${[INTRODUCTION, sections.join('\n')].join('\n').trimEnd()}\n`;
}

function functionEntry({ name, doc, overloads, examples }: FunctionDeclaration): string[] {
  const shown = examples.map((example) => (typeof example === 'string' ? example : `${example[0]}   // ${example[1]}`));
  return [
    `### \`${name}\``,
    '',
    doc,
    '',
    ...overloads.flatMap((overload) => [`- \`${signature(name, overload)}\`${dates(overload)}`, ...prices(overload)]),
    '',
    ...(shown.length > 0 ? ['```cel', ...shown, '```', ''] : []),
  ];
}

function signature(name: string, { style, parameters, result }: Overload): string {
  const [first, ...rest] = parameters.map((type) => typeText(type));
  const call =
    style === 'method'
      ? `${first ?? ''}.${name}(${rest.join(', ')})`
      : `${name}(${[first, ...rest].filter((text) => text !== undefined).join(', ')})`;
  return `${call} → ${typeText(result)}`;
}

function dates({ since, removedIn, binarySince, replacedIn }: Overload): string {
  const parts = [
    since > 0 ? `since 1.${since}` : '',
    removedIn === undefined ? '' : `until 1.${removedIn}`,
    binarySince === undefined && replacedIn === undefined ? '' : `servers ${servers(binarySince, replacedIn)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function servers(from: Overload['binarySince'], until: Overload['replacedIn']): string {
  if (until === undefined) return `from ${from}`;
  return from === undefined ? `before ${until}` : `from ${from}, before ${until}`;
}

/**
 * Returns the Markdown lines about the costs of an overload. The costs are joined into one line if each cost is a single formula. Otherwise
 * each cost gets a line.
 */
function prices(overload: Overload): string[] {
  const { estimate = nominal, measure = oneUnit } = overload;
  const { cost, resultSize, operandCost } = estimate.formulas;
  const [most, units] = [inWords(cost, overload), inWords(measure.formula, overload)];
  const parts = [
    ...(most === units ? [`cost${spaced(most)}`] : [`estimate${spaced(most)}`, `cost${spaced(units)}`]),
    ...(operandCost === undefined ? [] : [`operands ${inWords(operandCost, overload)}`]),
    ...(resultSize === undefined ? [] : [`size of the result ${inWords(resultSize, overload)}`]),
  ];
  return parts.every((part) => part.split('`').length === 3) ? [`  - ${parts.join(' · ')}`] : parts.map((part) => `  - ${part}`);
}

/** Returns `formula` with a space before it. The space is left out if the formula begins on a new line. */
const spaced = (formula: string): string => (formula.startsWith('\n') ? formula : ` ${formula}`);

/** Minimum number of clauses of a formula that is printed as a list. */
const LISTED = 4;

/** Returns a condition as Markdown. If the condition lists types, the types are set in code font. */
const shownCondition = (when: string): string => when.replace(/(?<=^both are one of )(.*)$/, (types: string) => `\`${types}\``);

/**
 * Returns the clauses of a cost formula in Markdown. If the clauses differ between minor versions, each group of minor versions with equal
 * clauses is listed separately.
 */
function inWords(words: FormulaText, { binarySince, replacedIn }: Overload): string {
  const minors = MINORS.filter(
    (minor) =>
      MINORS.indexOf(minor) >= MINORS.indexOf(binarySince ?? MINORS[0]) &&
      (replacedIn === undefined || MINORS.indexOf(minor) < MINORS.indexOf(replacedIn)),
  );
  const clausesOf = (minor: Minor): string[] =>
    words(costVersion(minor)).map(({ formula, when }) =>
      when === undefined ? `\`${formula}\`` : `\`${formula}\` if ${shownCondition(when)}`,
    );
  const forms = Map.groupBy(minors, (minor) => clausesOf(minor).join(', '));
  // The latest form comes first. An empty form belongs to versions without the function.
  const output = [...forms].reverse().filter(([text]) => text !== '');
  const minorsOf = (held: readonly Minor[]): string =>
    forms.size === 1 ? '' : ` (${held.length === 1 ? held[0] : `${held[0]}–${held.at(-1)}`})`;
  if (output.every(([, [minor]]) => minor === undefined || clausesOf(minor).length < LISTED))
    return output.map(([text, held]) => `${text}${minorsOf(held)}`).join('; ');
  return output.flatMap(([, held]) => clausesOf(held[0] ?? MINORS[0]).map((clause) => `\n    - ${clause}${minorsOf(held)}`)).join('');
}
