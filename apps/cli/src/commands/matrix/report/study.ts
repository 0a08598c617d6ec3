import type { Additions, VerdictCauses } from '#documents';
import { EXPRESSION_COST_LIMIT, minorWords, previewNotice } from '#kube';
import type { Minor } from '#kube';
import { causeSentences, cutText, markdownBlock, markdownCell, markdownCode, markdownTable } from '#report';
import { changedShare, grouped, times } from '#numbers';
import { packageVersion } from '#telemetry';
import { minorsText } from '../../../report/version-matrix.ts';
import type { PlacedMatrix } from '../../../report/version-matrix.ts';
import { addedBounds, placeText } from '../../../report/words.ts';

type Row = PlacedMatrix['definitions'][number];

/** Content of a report about definitions on which Kubernetes versions differ. The Markdown and the page of `assay matrix` show it. */
export interface MatrixStudy {
  readonly title: string;
  /** Sentences about the compared versions, the program, and previews. */
  readonly introduction: readonly string[];
  /** Numbers of definitions by verdict, and by cause. */
  readonly verdicts: readonly (readonly [words: string, definitions: number])[];
  readonly causes: readonly (readonly [sentence: string, definitions: number])[];
  readonly definitions: readonly ReportedDefinition[];
  /** Sentences that say how to make the report again. */
  readonly origin: readonly string[];
}

/** Part of the report about one definition. It says everything that its maintainer needs. */
export interface ReportedDefinition {
  readonly name: string;
  readonly place: string;
  /** For example `accepted by 1.30–1.37, refused by 1.38`. */
  readonly verdict: string;
  /** Error texts, each with the versions that report it. */
  readonly errors: readonly { readonly minors: string; readonly text: string }[];
  readonly causes: readonly {
    readonly heading: string;
    readonly sentences: readonly string[];
    /** Rows of a table: rule, places, cost before, cost after, share of the limit. */
    readonly rules: readonly (readonly string[])[];
    readonly sums: readonly string[];
  }[];
  /** Sentence about the bounds with which all compared versions accept the definition, and the bounds. */
  readonly additions: { readonly sentence: string; readonly bounds: readonly string[] } | undefined;
}

/** Headings of the table of rules below a cause. */
export const RULE_HEADINGS = ['Rule', 'Where', 'Estimated cost before', 'after', `Share of the limit of ${grouped(EXPRESSION_COST_LIMIT)}`];
/** Maximum number of rules that are listed below a cause. */
const LISTED = 20;
/** Maximum length of an error text, in code points. A definition can have hundreds of errors. */
const ERROR_WIDTH = 1500;
/** Maximum number of places that are listed for a rule. */
const PLACES = 3;

/** Verdict of a server on a definition. */
type Verdict = 'accepted' | 'refused';

/** Returns the content of a report about the definitions on which the compared versions have different verdicts. */
export function matrixStudy({ minors, definitions }: PlacedMatrix): MatrixStudy {
  const [first, last] = [minors[0] as Minor, minors.at(-1) as Minor];
  const isAccepted = ({ accepted }: Row): boolean => minors.every((minor) => accepted[minor] === true);
  const isRefused = ({ accepted }: Row): boolean => minors.every((minor) => accepted[minor] === false);
  const differing = definitions.filter((row) => !isAccepted(row) && !isRefused(row));
  const notice = previewNotice(minors);
  const numberWith = (former: Verdict, latter: Verdict): number =>
    differing.filter(({ accepted }) => accepted[first] === (former === 'accepted') && accepted[last] === (latter === 'accepted')).length;
  const sentences = differing.map((row) => [...new Set(flipsOf(row).flatMap(causeSentences))].join('; ') || 'not known');
  const counts = Map.groupBy(sentences, (sentence) => sentence);
  return {
    title: `${times(definitions.length, 'definition')} on Kubernetes ${minors.length === 2 ? `${first} and ${last}` : minorsText(minors, minors)}`,
    introduction: [
      `Assay ${packageVersion()} computed the verdicts of servers of Kubernetes ${minors.map(minorWords).join(', ')} on the creation of ${times(definitions.length, 'CustomResourceDefinition')}.`,
      ...(notice === undefined ? [] : [`${notice}.`]),
    ],
    verdicts: [
      ['accepted by all', definitions.filter(isAccepted).length],
      ['refused by all', definitions.filter(isRefused).length],
      [`accepted by ${first}, refused by ${last}`, numberWith('accepted', 'refused')],
      [`refused by ${first}, accepted by ${last}`, numberWith('refused', 'accepted')],
    ],
    causes: [...counts].map(([sentence, found]) => [sentence, found.length] as const).sort((a, b) => b[1] - a[1]),
    definitions: differing.map((row) => studiedDefinition(row, minors)),
    origin: [
      'Each definition was judged as a new one, also if an earlier one has its name. Experiments found the causes of different costs: Assay sets each difference back and looks whether the verdict of the whole definition changes back.',
      `The command: assay matrix FOLDER --minors ${minors.join(',')} -o markdown --chart FILE.svg (or -o html, or -o json).`,
    ],
  };
}

/** Returns the causes of different verdicts. The report leaves out the causes of different texts. */
const flipsOf = ({ causes = [] }: Row): VerdictCauses[] => causes.filter(({ about }) => about === 'verdict');

function studiedDefinition(row: Row, minors: readonly Minor[]): ReportedDefinition {
  const { name, accepted, messages, additions } = row;
  const which = (verdict: Verdict): string =>
    minorsText(
      minors.filter((minor) => accepted[minor] === (verdict === 'accepted')),
      minors,
    );
  const texts = Map.groupBy(
    minors.filter((minor) => messages[minor] !== undefined),
    (minor) => messages[minor] as string,
  );
  return {
    name: name || 'a definition without a name',
    place: placeText(row),
    verdict: `accepted by ${which('accepted')}, refused by ${which('refused')}`,
    errors: [...texts].map(([text, saying]) => ({ minors: minorsText(saying, minors), text: cutText(text, ERROR_WIDTH) })),
    causes: flipsOf(row).map(causeSection),
    additions: additions && additionsSection(additions, minorsText(minors, minors)),
  };
}

function additionsSection(additions: Additions, all: string): ReportedDefinition['additions'] {
  if ('why' in additions) {
    const { why } = additions;
    const reason = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
    return { sentence: `No added maxItems, maxLength or maxProperties makes all of ${all} accept the definition. ${reason}`, bounds: [] };
  }
  const sentence = `${all} accept the definition with these bounds. The command assay explain --fix writes bounds into the file.`;
  return { sentence, bounds: addedBounds(additions.bounds) };
}

function causeSection(found: VerdictCauses): ReportedDefinition['causes'][number] {
  return {
    heading: `Why ${found.to} differs from ${found.from}`,
    sentences: causeSentences(found),
    rules: found.rules
      .slice(0, LISTED)
      .map(({ rule, isMessage, places, cost, share }) => [
        `${isMessage ? 'messageExpression: ' : ''}${rule}`,
        [
          ...places.slice(0, PLACES).map(({ version, path }) => `${version} ${path}`),
          ...(places.length > PLACES ? [`${places.length - PLACES} more`] : []),
        ].join(', '),
        cost === undefined ? '' : grouped(cost.from),
        cost === undefined ? '' : grouped(cost.to),
        share === undefined ? '' : changedShare(share, found),
      ]),
    sums: found.sums.map(({ version, share }) => `All rules of ${version} together: ${changedShare(share, found)}.`),
  };
}

/**
 * Returns the report about definitions that the compared Kubernetes versions judge differently, as Markdown. The part about each definition can stand alone, for
 * example in an issue of its project.
 *
 * @param chart Address of a picture of the costs of all rules; undefined if there is none.
 */
export function matrixMarkdown(
  { title, introduction, verdicts, causes, definitions, origin }: MatrixStudy,
  chart: string | undefined,
): string {
  return `${[
    `# ${markdownCell(title)}`,
    ...introduction.flatMap((sentence) => ['', sentence]),
    ...markdownTable(
      ['Verdict', 'Definitions'],
      verdicts.map(([words, count]) => [words, String(count)]),
    ),
    ...(causes.length === 0
      ? []
      : [
          '',
          'Causes of different verdicts:',
          ...bulleted(causes.map(([sentence, count]) => `${times(count, 'definition')}: ${sentence}`)),
        ]),
    ...(chart === undefined ? [] : ['', `![Share of the limit that each rule takes on the first and on the last version](${chart})`]),
    ...definitions.flatMap(definitionMarkdown),
    '',
    '## How this report was made',
    ...origin.flatMap((sentence) => ['', sentence]),
  ].join('\n')}\n`;
}

function definitionMarkdown({ name, place, verdict, errors, causes, additions }: ReportedDefinition): string[] {
  return [
    '',
    `## ${markdownCode(name)}`,
    '',
    `${markdownCell(place)}: ${verdict}.`,
    ...errors.flatMap(({ minors, text }) => ['', `The error on ${minors}:`, ...markdownBlock(text, 'text')]),
    ...causes.flatMap(({ heading, sentences, rules, sums }) => [
      '',
      `**${heading}:** ${sentences.join('; ')}.`,
      ...markdownTable(RULE_HEADINGS, rules),
      ...sums.flatMap((sum) => ['', sum]),
    ]),
    ...(additions === undefined ? [] : ['', markdownCell(additions.sentence), ...bulleted(additions.bounds.map(markdownCode))]),
  ];
}

const bulleted = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', ...lines.map((line) => `- ${line}`)]);
