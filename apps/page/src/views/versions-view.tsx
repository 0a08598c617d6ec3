import type { ComponentChildren, JSX } from 'preact';
import { minorRange, MINORS, minorWords, previewNotice } from '#kube';
import type { Minor } from '#kube';
import { grouped } from '#numbers';
import { ruleInLine } from '#report';
import type { PageSession } from '../state/page-session.ts';
import { CausesList } from './causes-list.tsx';
import { AnswerStatus } from './answer-status.tsx';
import { useAnswer } from './use-answer.ts';
import { useIsWide } from './use-is-wide.ts';

/** Maximum length of a rule's text in a table, in code points. */
const RULE_WIDTH = 80;

type ByMinor<T> = Readonly<Partial<Record<Minor, T>>>;

/** Shows tables of the verdicts, messages and costs that differ between the Kubernetes minor versions. */
export function VersionsView({ session }: { readonly session: PageSession }): JSX.Element {
  const isWide = useIsWide();
  const { texts } = session.state;
  const request = useAnswer(session, { kind: 'versions', texts }, { after: [texts], pauseMs: 300 });
  const matrix = request.last?.answer;
  const notice = previewNotice(MINORS);
  const changing = matrix && [...matrix.definitions, ...(matrix.policies ?? []), ...matrix.objects].filter(({ changes }) => changes).length;
  return (
    <>
      <p class="row">
        <AnswerStatus words="Compare again" session={session} request={request} />
      </p>
      {changing !== undefined && changing > 0 && (
        <p class="muted">What differs between Kubernetes versions.{isWide && ' A cell is valid for all versions above it.'}</p>
      )}
      {changing === 0 && <p class="empty">All versions from {minorRange('to')} give the same verdicts, messages and costs.</p>}
      {changing !== undefined && notice !== undefined && <p class="muted">{notice}.</p>}
      {matrix?.definitions
        .filter(({ changes }) => changes)
        .map(({ name, accepted, messages, warnings, changingRules, causes }) => (
          <Rows key={name} title={name} below={causes && <CausesList name={name} causes={causes} />}>
            <Row words="verdict" values={accepted} shown={(value) => (value ? '✓' : '✗')} />
            <Row words="message" values={messages} shown={shortText} />
            <Row words="warnings" values={warnings} shown={warningsText} />
            {changingRules.slice(0, 50).map(({ path, cost, rule, version }) => (
              <Row
                key={`${version} ${path}`}
                words={
                  <>
                    estimate of <code>{ruleInLine(rule, RULE_WIDTH)}</code> <small class="muted">{path}</small>
                  </>
                }
                values={cost}
                shown={(value) => (/^\d+$/.test(value) ? grouped(Number(value)) : value)}
              />
            ))}
          </Rows>
        ))}
      {matrix?.policies
        ?.filter(({ changes }) => changes)
        .map(({ kind, name, accepted, messages, warnings }) => (
          <Rows key={`${kind} ${name}`} title={`${kind} ${name}`}>
            <Row words="verdict" values={accepted} shown={(value) => (value ? '✓' : '✗ policy refused')} />
            <Row words="message" values={messages} shown={shortText} />
            <Row words="warnings" values={warnings} shown={warningsText} />
          </Rows>
        ))}
      {matrix?.objects
        .filter(({ changes }) => changes)
        .slice(0, 100)
        .map(({ index, name = `object ${index + 1}`, outcome, messages, warnings, celCost, causes }) => (
          <Rows key={index} title={name} below={causes && <CausesList name={name} causes={causes} />}>
            <Row words="verdict" values={outcome} shown={(value) => (value === 'accepted' ? '✓' : '✗')} />
            <Row words="message" values={messages} shown={shortText} />
            <Row words="warnings" values={warnings} shown={warningsText} />
            <Row words="cost" values={celCost} shown={grouped} />
          </Rows>
        ))}
    </>
  );
}

const shortText = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

const warningsText = (warnings: readonly string[]): string => shortText(warnings.join('; '));

/** Rows of a table, its title, and what is shown below it. */
interface RowsProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly below?: ComponentChildren;
}

/** Table on a wide window, and a list on a narrow one, where a table with a column for each minor version does not fit. */
function Rows({ title, children, below }: RowsProps): JSX.Element {
  const isWide = useIsWide();
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={`${title} in all versions`}>
      <table>
        <caption>{title}</caption>
        {isWide && (
          <thead>
            <tr>
              <td />
              {MINORS.map((minor) => (
                <th key={minor} scope="col" title={minorWords(minor)}>
                  {minor}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
      {below}
    </div>
  );
}

/** Consecutive minor versions with equal values. */
interface MinorRun {
  readonly text: string;
  readonly first: Minor;
  last: Minor;
  /** Number of consecutive minor versions from `first` to `last`. */
  span: number;
}

/**
 * Shows one table cell for each sequence of minor versions with equal values. On a narrow window, the cells are lines below each other, and
 * each names its versions. Returns null if all minor versions have the same value.
 */
function Row<T>({
  words,
  values,
  shown,
}: {
  readonly words: ComponentChildren;
  readonly values: ByMinor<T>;
  readonly shown: (value: T) => string;
}): JSX.Element | null {
  const isWide = useIsWide();
  const runs: MinorRun[] = [];
  for (const minor of MINORS) {
    const value = values[minor];
    const text = value === undefined ? '–' : shown(value);
    const last = runs.at(-1);
    if (last?.text === text) Object.assign(last, { last: minor, span: last.span + 1 });
    else runs.push({ text, first: minor, last: minor, span: 1 });
  }
  if (runs.length === 1) return null;
  return (
    <tr>
      <th scope="row">{words}</th>
      {isWide ? (
        runs.map(({ text, first, span }) => (
          <td key={first} colSpan={span}>
            {text}
          </td>
        ))
      ) : (
        <td>
          <ul>
            {runs.map(({ text, first, last }) => (
              <li key={first}>
                <span class="muted">{first === last ? minorWords(first) : `${first} to ${minorWords(last)}`}</span> {text}
              </li>
            ))}
          </ul>
        </td>
      )}
    </tr>
  );
}
