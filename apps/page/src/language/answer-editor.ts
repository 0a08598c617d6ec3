import { LanguageService } from '#editing/language';
import { LATEST_MINOR } from '#kube';
import type { WorkSettings } from '../worker/serve-asks.ts';
import type { LanguageAnswers, LanguageAsk } from './language-client.ts';
import type { Pane } from '../state/texts.ts';

const service = new LanguageService([LATEST_MINOR]);

/**
 * Passes a request of the page to the language service, and returns the result. Returns undefined for requests that only change a text or
 * the minor version.
 */
export async function answerEditor(ask: LanguageAsk, { signal }: WorkSettings): Promise<LanguageAnswers[LanguageAsk['kind']]> {
  switch (ask.kind) {
    case 'text':
      service.setText(ask.pane, ask.text);
      return undefined;
    case 'minor':
      service.minors = [ask.minor];
      return undefined;
    case 'diagnostics':
      return diagnostics(ask.pane, signal);
    case 'lenses':
      return service.lenses(ask.pane);
    case 'hover':
      return service.hover(ask.pane, ask.position);
    case 'completions':
      return service.completions(ask.pane, ask.position);
    case 'actions':
      return service.codeActions(ask.pane, ask.range);
  }
}

/** Returns the diagnostics of a pane. After each document, other messages are handled, so that a request to stop is received. */
async function diagnostics(pane: Pane, signal: AbortSignal): Promise<LanguageAnswers['diagnostics']> {
  const steps = service.diagnosticsInSteps(pane, {
    get cancelled() {
      return signal.aborted;
    },
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return [...step.value, ...service.advice(pane)];
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return [];
  }
}
