import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { readJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import type { CellPorts, CellSubjects, StudyEngine } from '../cells/studied-definition.ts';
import { StudiedDefinition } from '../cells/studied-definition.ts';

/** Returns the definition of a kind Widget with the given schema of `spec`, as plain JSON. */
export const widgetDocument = (spec: object) => customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });

function definitionOf(spec: object): JsonValue {
  const reading = readJson(JSON.stringify(widgetDocument(spec)));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

/** Compiles the definition of a kind Widget with the given schema of `spec`. */
export function compiledWidget(spec: object, engine: StudyEngine = 'adaptive'): CompiledDefinition {
  const outcome = compileStoredDefinition(definitionOf(spec), { minor: LATEST_MINOR, engine: nodeEngine(engine) });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/**
 * Returns the definitions that cells of a study of a Widget need. `older` is the schema of `spec` in an older revision, if there is one.
 */
export function widgetSubjects(spec: object, older?: object): CellSubjects {
  const held = (of: object) => {
    const known = new Map<StudyEngine, StudiedDefinition>();
    return (engine: StudyEngine): StudiedDefinition => {
      const studied = known.get(engine) ?? new StudiedDefinition(compiledWidget(of, engine));
      known.set(engine, studied);
      return studied;
    };
  };
  return {
    head: held(spec),
    ...(older && { base: held(older) }),
    source: () => definitionOf(spec),
    compileAgain: () => void compiledWidget(spec, 'compiled'),
    choice: nodeEngine,
  };
}

/** Key of the rule that is declared directly at `spec`, if `spec` has only one rule. */
export const SPEC_RULE = { version: 'v1', path: 'properties[spec].x-kubernetes-validations[0]' } as const;
const NEVER = { cancelled: false };
/** Clock and cancellation token of a study. The clock never advances, so that the study completes even on a busy machine. */
export const STANDING: CellPorts = { now: () => 0, token: NEVER };
/** Clock and cancellation token of a study. The clock is the clock of this machine, and the token is never cancelled. */
export const RUNNING: CellPorts = { now: () => performance.now(), token: NEVER };

/** Time limit in ms, by the clock of {@link pollPorts}. It is sufficient for all cost series of a rule whose growth is known. */
export const POLLS = 5000;

/**
 * Returns a clock that advances by 1 ms each time it is read, and a cancellation token. With this clock, a study does the same work on
 * every machine.
 */
export function pollPorts(): CellPorts {
  let looks = 0;
  return { now: () => looks++, token: NEVER };
}
