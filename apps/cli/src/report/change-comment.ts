import { columnShare } from '#numbers';
import { cutText, markdownCell, markdownCode, markdownTable } from '#report';

/** Share of a limit before and after a change; a state without the rule has none. */
export interface ShareChange {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** Minor versions with these shares; absent or empty if all have the same ones. */
  readonly on?: string;
}

/** Rule that a change adds, removes or makes dearer or cheaper. */
export interface CommentRule extends ShareChange {
  /** Version and field of the rule, after the definition if there are several. */
  readonly place: string;
  readonly rule: string;
  /** Effect of the change on the rule, such as `new`. */
  readonly state: string;
}

/** Definition in a comment. */
export interface CommentDefinition {
  readonly name: string;
  /** Effect of the change on the definition, such as `changed`. */
  readonly state: string;
  /** Verdicts of the minor versions, as a sentence without a full stop. */
  readonly verdict: string;
  /** Version whose rules together take most of their limit; undefined if there are none. */
  readonly total?: (ShareChange & { readonly version: string }) | undefined;
}

/** Object that a change breaks. */
export interface CommentObject {
  readonly name: string;
  readonly source: string;
  readonly effect: string;
  readonly message: string;
}

/** Content of a comment for a pull request. */
export interface ChangeComment {
  /** Heading of the comment. */
  readonly title: string;
  readonly definitions: readonly CommentDefinition[];
  /** Rules, the most important first. */
  readonly rules: readonly CommentRule[];
  readonly objects: readonly CommentObject[];
  /** Sentences on the gates that fail. */
  readonly failed: readonly string[];
  /** Sentences that stand at the end. */
  readonly notes: readonly string[];
  /** Lines of Markdown that are folded. */
  readonly details: readonly string[];
}

/** First line of a comment. The GitHub action finds the comment of its last run by it. */
const MARK = '<!-- assay -->';
/** Maximum number of rows of each table of a comment, so that it fits a screen. */
const ROWS = { definitions: 6, rules: 8, objects: 5, failed: 5 } as const;
/** Maximum length in characters of the folded details. Source: GitHub refuses comments of more than 65,536 characters. */
const MAX_DETAILS = 50_000;
/** Maximum length in characters of a text in a cell. */
const CELL = 120;

/**
 * Returns a comment for a pull request as Markdown that fits a screen. It has verdicts, failed gates, rules with their shares of the limit,
 * and objects that break. Details are folded. All texts are escaped.
 */
export function changeCommentText({ title, definitions, rules, objects, failed, notes, details }: ChangeComment): string {
  const hasTotals = definitions.some(({ total }) => total !== undefined);
  return `${[
    MARK,
    `### ${title}`,
    ...section(
      ['Definition', 'Change', 'Verdict', ...(hasTotals ? ['All rules of a version'] : [])],
      definitions.map(({ name, state, verdict, total }) => [
        name,
        state,
        cutText(verdict, 2 * CELL),
        ...(hasTotals ? [total ? `${total.version}: ${shareText(total)}` : ''] : []),
      ]),
      ROWS.definitions,
    ),
    ...listed('**Failed gates**', failed, ROWS.failed),
    ...titled(
      '**Rules**, with their shares of the limit of a rule',
      section(
        ['Rule', 'Change', 'Share'],
        rules.map((rule) => [`${rule.place}: ${cutText(rule.rule, CELL)}`, rule.state, shareText(rule)]),
        ROWS.rules,
      ),
    ),
    ...titled(
      '**Objects that break**',
      section(
        ['Object', 'Where', 'Effect', 'Message'],
        objects.map(({ name, source, effect, message }) => [name, source, effect, cutText(message, 2 * CELL)]),
        ROWS.objects,
      ),
    ),
    ...notes.flatMap((note) => ['', markdownCell(note)]),
    ...(details.length === 0 ? [] : ['', '<details><summary>Details</summary>', '', ...bounded(details), '', '</details>']),
  ].join('\n')}\n`;
}

/** Returns the first lines that are not too long together. */
function bounded(lines: readonly string[]): string[] {
  let length = 0;
  const count = lines.findIndex((line) => (length += line.length + 1) > MAX_DETAILS);
  return count < 0 ? [...lines] : [...lines.slice(0, count), '', 'The rest is left out.'];
}

/** Returns the rows of a table, and the number of rows that are left out. */
function section(headings: readonly string[], rows: readonly (readonly string[])[], most: number): string[] {
  const more = rows.length - most;
  return [...markdownTable(headings, rows.slice(0, most)), ...(more > 0 ? ['', `And ${more} more.`] : [])];
}

const titled = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

function listed(title: string, sentences: readonly string[], most: number): string[] {
  const more = sentences.length - most;
  const items = sentences.slice(0, most).map((sentence) => `- ${markdownCell(cutText(sentence, 2 * CELL))}`);
  return titled(title, items.length === 0 ? [] : ['', ...items, ...(more > 0 ? [`- and ${more} more`] : [])]);
}

/** Returns the change of a share: `1.2 % → 47.0 %`, `47.0 %` if it is new, or `1.2 % → gone`. */
function shareText({ before, after, on = '' }: ShareChange): string {
  if (before === undefined && after === undefined) return '';
  const [old, now] = [before, after].map((share) => (share === undefined ? 'gone' : columnShare(share)));
  return `${before === undefined || before === after ? now : `${old} → ${now}`}${on === '' ? '' : ` on ${on}`}`;
}

/** Returns the heading of a definition among the details. */
export const detailHeading = (name: string, words: string): string => `#### ${markdownCode(name)} ${words}`;
