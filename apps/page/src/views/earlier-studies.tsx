import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { columnShare, grouped } from '#numbers';
import type { ApiClient, EndedStudy } from '../server/api-client.ts';

/** Maximum number of earlier studies that are shown. */
const SHOWN = 10;

/**
 * Shows the ended studies of a definition at the service, newest first, with a link to each report.
 *
 * @param hasKey true if the service needs an access key, which a link cannot send; then there are no links
 * @param after changes if a study ends, so that the list is read again
 */
export function EarlierStudies({
  service,
  definition,
  hasKey,
  after,
}: {
  readonly service: ApiClient;
  readonly definition: string;
  readonly hasKey: boolean;
  readonly after: unknown;
}): JSX.Element | null {
  const [studies, setStudies] = useState<readonly EndedStudy[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void service.endedStudies(definition, SHOWN).then((answer) => {
      if (isCurrent) setStudies(answer.kind === 'answered' ? answer.answer : []);
    });
    return () => {
      isCurrent = false;
    };
  }, [service, definition, after]);
  if (studies.length === 0) return null;
  return (
    <details class="earlier-studies">
      <summary>Earlier studies of {definition} on this server</summary>
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>Rule of the most expensive write</th>
            <th>Its cost</th>
            <th>Estimate</th>
          </tr>
        </thead>
        <tbody>
          {studies.map((study) => (
            <StudyRow key={study.id} study={study} definition={definition} hasKey={hasKey} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function StudyRow({
  study,
  definition,
  hasKey,
}: {
  readonly study: EndedStudy;
  readonly definition: string;
  readonly hasKey: boolean;
}): JSX.Element {
  const time = study.createdAt.slice(0, 16).replace('T', ' ');
  const figures = study.definitions.find((one) => one.definition === definition);
  const { costliest, limitShare } = figures ?? {};
  return (
    <tr>
      <td>
        {hasKey ? time : <a href={`/benchmarks/${encodeURIComponent(study.id)}/report`}>{time}</a>}
        {study.state === 'complete' ? '' : ` ${study.state}`}
      </td>
      <td>{costliest === undefined ? 'none known' : `${costliest.version} ${costliest.path}`}</td>
      <td>{costliest === undefined ? '' : grouped(costliest.cost)}</td>
      <td>{limitShare === undefined ? '' : columnShare(limitShare)}</td>
    </tr>
  );
}
