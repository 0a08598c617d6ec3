import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { MINORS, minorWords, previewOf } from '#kube';
import type { Minor } from '#kube';
import type { VersionMatrix } from '#service';
import type { PageSession } from '../state/page-session.ts';
import { lazyComponent } from './lazy-component.tsx';
import { useAnswer } from './use-answer.ts';

const CausesList = lazyComponent(async () => (await import('./causes-list.tsx')).CausesList);

/**
 * Maximum length of the texts, in characters, for which all minor versions are compared automatically. The comparison takes as long as
 * one verdict of each minor version.
 */
const MAX_COMPARED_LENGTH = 400_000;
/** Pause between the verdict and the comparison of minor versions, in ms. */
const PAUSE_MS = 500;

/** Words for the differences of a minor version from the previous minor version. */
const DIFFERENCE_WORDS: Readonly<Record<MinorColumn['differences'][number], string>> = {
  verdict: 'verdict',
  text: 'message',
  cost: 'cost',
};

/**
 * Shows all minor versions in a row: which of them refuse a document, and where a verdict, message or cost changes. A click chooses a minor
 * version.
 */
export function VersionStrip({ session }: { readonly session: PageSession }): JSX.Element {
  const matrix = useMatrix(session);
  const { minor: chosen } = session.state;
  const columns = matrix && minorColumns(matrix);
  const chosenRefuses = columns?.find(({ minor }) => minor === chosen)?.refuses;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => showChosen(row.current), [chosen, matrix]);
  return (
    <nav class="strip" aria-label="Kubernetes version">
      <span class="label" aria-hidden="true">
        Kubernetes
      </span>
      <div class="versions" ref={row}>
        {MINORS.map((minor, i) => {
          const column = columns?.[i];
          const preview = previewOf(minor);
          const words = column === undefined ? '' : `: ${column.refuses ? 'refuses something' : 'accepts all'}`;
          const differs = column === undefined ? '' : differenceText(column, i);
          // Only a verdict that differs from the chosen version's verdict has a colour, because the summary shows the chosen one.
          const isOther = column !== undefined && column.refuses !== chosenRefuses;
          return (
            <button
              key={minor}
              type="button"
              aria-current={minor === chosen ? 'true' : undefined}
              title={`Kubernetes ${minorWords(minor)}${words}${differs === '' ? '' : `; ${differs}`}`}
              class={differs === '' ? '' : 'differs'}
              onClick={() => session.setMinor(minor)}
            >
              <span>
                {minor}
                {preview !== undefined && <small aria-hidden="true"> preview</small>}
              </span>
              <span aria-hidden="true" class={!isOther ? 'muted' : column.refuses ? 'bad' : 'good'}>
                {column === undefined ? '·' : column.refuses ? '✗' : '✓'}
              </span>
              <span class="unseen">
                {preview !== undefined && `, preview of ${preview}`}
                {words}
                {differs !== '' && `; ${differs}`}
              </span>
            </button>
          );
        })}
      </div>
      <small class="differences" aria-hidden="true">
        {columns === undefined ? ' ' : differencesText(columns)}
      </small>
      {matrix?.definitions.map(({ name, causes }) => causes && <CausesList key={name} name={name} causes={causes} />)}
    </nav>
  );
}

/** Scrolls only the row, not the page, until the chosen version is visible. */
function showChosen(row: HTMLElement | null): void {
  const chosen = row?.querySelector<HTMLElement>('[aria-current]');
  if (row && chosen) row.scrollLeft = chosen.offsetLeft + chosen.offsetWidth - row.clientWidth / 2;
}

/**
 * Returns the differences of a version from the previous version, such as `message differs from 1.34`. The text is empty if there are none.
 */
function differenceText({ differences }: MinorColumn, i: number): string {
  if (differences.length === 0) return '';
  const words = differences.map((difference) => DIFFERENCE_WORDS[difference]).join(' and ');
  return `${words} ${differences.length === 1 ? 'differs' : 'differ'} from ${MINORS[i - 1]}`;
}

function differencesText(columns: readonly MinorColumn[]): string {
  const found = columns.flatMap((column, i) => (column.differences.length > 0 ? [`${column.minor}: ${differenceText(column, i)}`] : []));
  return found.length === 0 ? 'All versions say the same.' : found.join(' · ');
}

/**
 * Returns the verdicts of all minor versions on the present texts. A second worker computes them some time after the verdict of the chosen
 * minor version. Returns undefined if the texts are empty or too long.
 */
function useMatrix(session: PageSession): VersionMatrix | undefined {
  const { texts } = session.state;
  const { state } = session.judgement;
  const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  const isWanted = length > 0 && length <= MAX_COMPARED_LENGTH;
  const ask = isWanted && state === 'done' ? ({ kind: 'versions', texts } as const) : undefined;
  const { last } = useAnswer(session, ask, { after: [texts, state], pauseMs: PAUSE_MS });
  return isWanted ? last?.answer : undefined;
}

/** Kind of difference from the previous minor version: in a verdict, in a message or warning (`text`), or in a cost. */
type Difference = 'verdict' | 'text' | 'cost';

/**
 * Column of one minor version in the comparison of versions: whether it refuses a document, and its differences from the previous minor
 * version.
 */
interface MinorColumn {
  readonly minor: Minor;
  /** True if this minor version refuses at least one definition or policy, or does not accept at least one object. */
  readonly refuses: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Returns a column for each minor version. The column says whether this version refuses any document, and how its results differ from the
 * previous minor version.
 */
function minorColumns({ minors, definitions, policies = [], objects }: VersionMatrix): readonly MinorColumn[] {
  return minors.map((minor, i) => {
    const before = minors[i - 1];
    const refuses =
      [...definitions, ...policies].some(({ accepted }) => accepted[minor] === false) ||
      objects.some(({ outcome }) => outcome[minor] !== 'accepted');
    const changed = (values: Readonly<Partial<Record<Minor, unknown>>>): boolean =>
      before !== undefined && JSON.stringify(values[before]) !== JSON.stringify(values[minor]);
    const found: Readonly<Record<Difference, boolean>> = {
      verdict: [...definitions, ...policies].some(({ accepted }) => changed(accepted)) || objects.some(({ outcome }) => changed(outcome)),
      text:
        [...definitions, ...policies].some(({ messages, warnings }) => changed(messages) || changed(warnings)) ||
        objects.some(({ messages, warnings }) => changed(messages) || changed(warnings)),
      cost:
        definitions.some(({ changingRules }) => changingRules.some(({ cost }) => changed(cost))) ||
        objects.some(({ celCost }) => changed(celCost)),
    };
    return { minor, refuses, differences: (Object.keys(found) as Difference[]).filter((difference) => found[difference]) };
  });
}
