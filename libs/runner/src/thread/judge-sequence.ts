import { Cancelled } from '#go';
import type { CancellationToken, JsonValue } from '#go';
import { definitionWrite } from '#documents';
import type { DefinitionText, DefinitionWrite } from '#documents';
import type { JudgedDefinition } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { judgeBeside } from './judge-definition.ts';

/**
 * Judges definitions of one name as a server does that receives them in this order. The server creates the first definition that it accepts.
 * Each later one is an update of the stored definition. `updateOf` of its report is the position of this stored definition. Throws `Cancelled` if the token requests cancellation.
 */
export function judgeSequence(
  definitions: readonly DefinitionText[],
  how: DefinitionWrite & { readonly rules: boolean },
  cache: DefinitionCache,
  token: CancellationToken,
): readonly JudgedDefinition[] {
  let stored: { readonly value: JsonValue; readonly index: number } | undefined;
  return definitions.map((text, index) => {
    if (token.cancelled) throw new Cancelled();
    const { judged, verdict } = judgeBeside(text, { ...how, ...definitionWrite(text, how) }, cache, stored?.value);
    const updateOf = stored?.index;
    if (judged.report.accepted && verdict.stored !== undefined) stored = { value: verdict.stored, index };
    return updateOf === undefined ? judged : { ...judged, report: { ...judged.report, updateOf } };
  });
}
