import type { JSX } from 'preact';
import { countText as shortCount, grouped, timeText } from '#numbers';
import type { BenchmarkAnswer } from '../judge/judge-client.ts';
import { costChart, timeChart } from '../benchmark/benchmark-charts.ts';
import {
  boundSentence,
  changeSentence,
  curveChangeSentence,
  costliestSentence,
  growthSentence,
  refusalSentence,
  timeChangeSentence,
} from '../benchmark/benchmark-words.ts';
import { curveOf } from '../benchmark/curve.ts';
import { CurveFigure } from './curve-figure.tsx';

type StudiedAnswer = Extract<BenchmarkAnswer, { kind: 'studied' }>;

/** Shows the findings about a rule: its cost by size, sentences about its limits, and its times if they were measured. */
export function BenchmarkFindings({ answer }: { readonly answer: BenchmarkAnswer }): JSX.Element {
  if (answer.kind === 'notStudied') return <p>Not studied: {answer.why}.</p>;
  const { findings } = answer;
  if (findings.notStudied !== undefined) return <p>Not studied: {findings.notStudied}.</p>;
  const present = curveOf(findings);
  const change = changeSentence(findings);
  const before = findings.baseGrowth && curveOf(findings.baseGrowth);
  // If the schema limits the field, the sentence about the most expensive write already states the change.
  const isChangeStated = present?.bound !== undefined && findings.worst?.end === 'accepted';
  const isFinished = answer.phase !== 'costs' && !findings.isPartial;
  const sentences = [
    boundSentence(present),
    refusalSentence(findings, present, isFinished),
    costliestSentence(findings),
    findings.isPartial && answer.phase === 'over'
      ? 'Not finished: the search reached its time limit before it had tried all sizes. A more expensive write may exist.'
      : undefined,
    findings.disturbed === undefined ? undefined : 'Other work of this machine disturbed the times: they are too long.',
  ].filter((sentence) => sentence !== undefined);
  return (
    <>
      {change !== undefined && (
        <p class="change">
          <strong>Since the earlier definition:</strong> {change} {!isChangeStated && curveChangeSentence(present, before)}{' '}
          {timeChangeSentence(findings.base)}
        </p>
      )}
      {present === undefined || present.points.length === 0 ? (
        <p>{growthSentence(undefined, isFinished)}</p>
      ) : (
        <CurveFigure
          chart={costChart(present, before)}
          title={growthSentence(present)}
          xLabel={`${present.unit}${present.isJoint ? ' of each' : ''}`}
          yLabel="cost of one evaluation, units"
          xText={shortCount}
          yText={shortCount}
          xCell={grouped}
          yCell={grouped}
        />
      )}
      <ul class="found">
        {before && <li>The earlier rule: {growthSentence(before)}</li>}
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Times answer={answer} />
      {answer.trace !== undefined && (
        <p>
          <a href={answer.trace}>Trace of this study</a>
        </p>
      )}
    </>
  );
}

function Times({ answer: { findings, compiles, place } }: { readonly answer: StudiedAnswer }): JSX.Element | null {
  const { times, claims, serverTime } = findings;
  const drawn = timeChart(findings);
  if (times.length === 0) return null;
  return (
    <section>
      <h2>{place === 'service' ? 'Times on the server' : 'Times in this browser'}</h2>
      {!compiles && <p>The host of this page forbids generated code: the interpreter takes all times.</p>}
      <ul class="found">
        {times.map(({ engine, what, ms }) => (
          <li key={`${engine} ${what}`}>
            {TIMED[what]}: {timeText(ms)} ({engine}).
          </li>
        ))}
        {serverTime?.kind === 'predicted' && <li>One evaluation in an API server, as predicted: {timeText(serverTime.ms)}.</li>}
      </ul>
      {drawn && (
        <CurveFigure
          chart={drawn.chart}
          title={`Time of one evaluation by the size of ${drawn.field}`}
          xLabel={drawn.unit}
          yLabel="time of one evaluation"
          xText={shortCount}
          yText={timeText}
          xCell={grouped}
          yCell={timeText}
          {...(drawn.bandName !== undefined && { bandName: drawn.bandName })}
        />
      )}
      {claims.length > 0 && (
        <>
          <h3>Claims of KEP-2876</h3>
          <ul class="found">
            {claims.map(({ claim, found, verdict }) => (
              <li key={claim}>
                <strong>{verdict}</strong>: {claim}; found: {found}.
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const TIMED = {
  rule: 'One evaluation in the most expensive write',
  write: 'The whole most expensive write, from bytes to verdict',
  compile: 'Compiling the definition',
} as const;
