import { compileStoredDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { readJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import type { CellPorts, CellSubjects, StudyEngine } from '../cells/cell-ports.ts';
import { StudiedDefinition } from '../cells/studied-definition.ts';

/** Returns the definition of a kind Widget with this schema of `spec`, as plain JSON. */
export const widgetDocument = (spec: object) => customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });

function definitionOf(spec: object): JsonValue {
  const reading = readJson(JSON.stringify(widgetDocument(spec)));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

/** Compiles the definition of a kind Widget. */
export function compiledWidget(spec: object, engine: StudyEngine = 'adaptive'): CompiledDefinition {
  const outcome = compileStoredDefinition(definitionOf(spec), { minor: LATEST_MINOR, engine: nodeEngine(engine) });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** Returns the definitions of cells about a Widget, and about its older revision if there is one. */
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

/** The rule at `spec` itself, if it is the only one there. */
export const SPEC_RULE = { version: 'v1', path: 'properties[spec].x-kubernetes-validations[0]' } as const;
const NEVER = { cancelled: false };
/** Ports of a study whose clock never moves: on a busy machine, the study still comes to its end. */
export const STANDING: CellPorts = { now: () => 0, token: NEVER };
/** Ports of a study with the clock of this machine, never cancelled. */
export const RUNNING: CellPorts = { now: () => performance.now(), token: NEVER };

/** Time of {@link pollPorts} in which all series of a rule of known growth come to their ends. */
export const POLLS = 5000;

/** Returns a clock that goes on by 1 ms when it is looked at: a study does the same work on any machine. */
export function pollPorts(): CellPorts {
  let looks = 0;
  return { now: () => looks++, token: NEVER };
}
