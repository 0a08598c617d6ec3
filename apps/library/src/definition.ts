import { chunkSettings, definitionText, definitionWrite, serverOf, settleNames } from '#documents';
import type { ChunkSettings, DefinitionText, EvaluationOptions } from '#documents';
import type { Status } from '#kube';
import { InProcessEngine, WorkPerformer } from '#runner/in-process';
import { runSync, definitionSlice, optionsOf } from './calls.ts';
import type { Document, JudgedDefinition, ServerOptions } from './types.ts';

/** Compiled definition against which objects can be validated. It is created by {@link compileDefinition}. */
export class CompiledDefinition {
  /** `metadata.name` of the definition, such as `httproutes.gateway.networking.k8s.io`. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  readonly warnings: readonly string[];
  /** @internal */
  readonly inner: {
    readonly text: DefinitionText;
    readonly options: EvaluationOptions;
    readonly settings: ChunkSettings;
    readonly performer: WorkPerformer;
  };

  /** @internal */
  constructor(judged: JudgedDefinition, inner: CompiledDefinition['inner']) {
    this.name = judged.name;
    this.group = judged.group ?? '';
    this.kind = judged.kind ?? '';
    this.versions = judged.versions ?? [];
    this.warnings = judged.warnings;
    this.inner = inner;
  }
}

/** Result of compiling a definition: the compiled definition, or the refusal of the server. */
export type Compilation =
  | { readonly ok: true; readonly definition: CompiledDefinition; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly status: Status; readonly warnings: readonly string[] };

/**
 * Compiles a CustomResourceDefinition, so that many objects can be validated against it. Of a CompositeResourceDefinition, compiles the
 * definition of the composite resource, as Crossplane makes it. If the server would refuse the definition, the
 * result has the refusal as `status` and no compiled definition.
 *
 * @example
 *     const compiled = compileDefinition(crd, { kubernetesVersion: '1.34' });
 *     if (!compiled.ok) throw new Error(compiled.status.message);
 */
export function compileDefinition(definition: Document, options: ServerOptions = {}): Compilation {
  const performer = new WorkPerformer();
  const judged = judgeWith(performer, definition, options);
  const { warnings, status } = judged;
  if (status !== undefined) return { ok: false, status, warnings };
  const evaluation = optionsOf(options);
  const text = definitionText(definitionSlice(definition), serverOf(evaluation));
  const settings = chunkSettings(settleNames([judged]), {
    options: evaluation,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    traceparent: undefined,
  });
  return { ok: true, definition: new CompiledDefinition(judged, { text, options: evaluation, settings, performer }), warnings };
}

/** Options for computing the verdict on a definition. */
export interface DefinitionOptions extends ServerOptions {
  /** Stored definition. If it is given, the write is treated as an update of this definition. */
  readonly stored?: Document;
}

/**
 * Returns the server's answer to a create of a CustomResourceDefinition, or to an update of a stored one, and the estimated cost of every rule.
 *
 * @example
 * const { accepted, status, rules } = judgeDefinition(crd);
 */
export function judgeDefinition(definition: Document, options: DefinitionOptions = {}): JudgedDefinition {
  return judgeWith(new WorkPerformer(), definition, options);
}

function judgeWith(performer: WorkPerformer, definition: Document, { stored, ...options }: DefinitionOptions): JudgedDefinition {
  const evaluation = optionsOf(options);
  const textOf = (document: Document) => definitionText(definitionSlice(document), serverOf(evaluation));
  return runSync(options, (token) => {
    const engine = new InProcessEngine(performer, token);
    const text = textOf(definition);
    const write = definitionWrite(text, evaluation);
    const created = engine.perform({ kind: 'judge', definition: text, rules: true, ...write });
    const { report } = stored === undefined ? created : engine.perform({ kind: 'judge-update', from: textOf(stored), to: text, ...write });
    return { ...report, rules: created.rules ?? [], schemaCost: created.schemaCost ?? {} };
  });
}
