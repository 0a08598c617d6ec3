import { MINORS } from '#kube';
import { WorkPerformer } from '#runner/in-process';
import { explain, versionMatrix } from '#service';
import type { WorkSettings } from '../worker/serve-asks.ts';
import { evaluateFiles } from './evaluate-files.ts';
import { evaluateTexts, optionsFor } from './evaluate-texts.ts';
import type { JudgeAnswers, JudgeAsk } from './judge-messages.ts';
import { mendTexts } from './mend-texts.ts';
import { documentsIn, writesIn } from './read-texts.ts';
import { writeSuite } from './write-suite.ts';
import { whatIfOfTexts } from './what-if-texts.ts';
import { tellingEngine } from './telling-engine.ts';

/** Performer of the worker's tasks. It caches compiled definitions between requests. */
const performer = new WorkPerformer();

/** Handles a request of the page to the worker that computes verdicts. */
export function judge(ask: JudgeAsk, settings: WorkSettings): Promise<JudgeAnswers[JudgeAsk['kind']]> {
  switch (ask.kind) {
    case 'evaluate':
      return evaluateTexts(performer, ask, settings);
    case 'versions':
      return versions(ask, settings);
    case 'what-if':
      return whatIfOfTexts(performer, ask, settings);
    case 'explain':
      return explained(ask, settings);
    case 'mend':
      return mendTexts(performer, ask, settings);
    case 'evaluate-files':
      return evaluateFiles(performer, ask, settings);
    case 'suite':
      return writeSuite(performer, ask, settings);
    case 'benchmark':
      // Only few visitors use the benchmark, so its code is loaded on demand.
      return import('./benchmark-texts.ts').then(({ benchmarkTexts }) => benchmarkTexts(performer, ask, settings));
    case 'study-body':
      return import('./benchmark-texts.ts').then(({ bodyOfStudy }) => bodyOfStudy(ask.ask));
  }
}

async function versions(
  { texts }: { readonly texts: JudgeAsk['texts'] },
  { signal, alive }: WorkSettings,
): Promise<JudgeAnswers['versions']> {
  const { definitions, objects, policies } = writesIn(texts);
  const slices = (documents: typeof objects) => documents.map(({ slice }) => slice);
  const envelope = {
    definitions: slices(definitions),
    objects: slices(objects),
    ...policies,
    options: { ...optionsFor('1.37'), returnObjects: false },
  };
  return versionMatrix(tellingEngine(performer, alive), envelope, MINORS, { signal });
}

function explained(
  { texts, minor }: Extract<JudgeAsk, { kind: 'explain' }>,
  { signal, alive }: WorkSettings,
): Promise<JudgeAnswers['explain']> {
  const { definitions, objects, policies } = documentsIn(texts);
  const slices = (documents: typeof objects) => documents.map(({ slice }) => slice);
  return explain(
    tellingEngine(performer, alive),
    { definitions: slices(definitions), objects: slices(objects), ...policies, options: optionsFor(minor) },
    signal,
  );
}
