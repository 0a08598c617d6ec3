import { internalErrorStatus, timeoutStatus } from '#kube';
import type { DefinitionText } from '#documents';
import type { JudgedDefinition } from '#runner';

/** Status for a definition whose validation was stopped. */
const STOPPED = timeoutStatus('the definition was not judged', 0, 408);
const GUILTY = internalErrorStatus('this definition ended the engine that judged it');

/**
 * Returns the report on a definition for which no verdict was computed. `why` is the reason: the work was cancelled, or it broke the
 * engine. The report states that the definition is not accepted.
 */
export function insteadOf(why: 'cancelled' | 'broken', { digest }: DefinitionText): JudgedDefinition {
  return { report: { name: '', digest, accepted: false, status: why === 'cancelled' ? STOPPED : GUILTY, warnings: [] } };
}
