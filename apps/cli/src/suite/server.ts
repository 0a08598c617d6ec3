import { isJsonObject, readJson, writeJson, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { chunkSettings, definitionText, definitionWrite, serverOf } from '#documents';
import type { ChunkSettings, DefinitionText, EvaluationOptions, Verdict } from '#documents';
import type { Engine } from '#runner';
import { runChunk } from '#service';

/** Server's answer to one create or update of an object: the stored object, or the message with which the server refuses the request. */
export type WriteAnswer = { readonly ok: true; readonly stored: JsonObject } | { readonly ok: false; readonly message: string };

/** Simulated API server with one definition, in memory. It accepts and refuses writes as the real API server would. */
export class SuiteServer {
  readonly #host: Engine;
  readonly #text: DefinitionText;
  readonly #settings: ChunkSettings;
  /** Evaluation options as given to `install`. */
  readonly options: EvaluationOptions;

  private constructor(host: Engine, text: DefinitionText, settings: ChunkSettings, options: EvaluationOptions) {
    this.#host = host;
    this.#text = text;
    this.#settings = settings;
    this.options = options;
  }

  /** Installs a definition and returns the server. Returns the text of the refusal if a server would not accept the definition. */
  static async install(definition: JsonValue, options: EvaluationOptions, host: Engine): Promise<SuiteServer | string> {
    const slice = { bytes: Buffer.from(writeJson(definition)), notation: 'json' } as const;
    const text = definitionText(slice, serverOf(options));
    const answer = await host.run({ kind: 'judge', definition: text, rules: false, ...definitionWrite(text, options) });
    if (answer.kind !== 'done') return 'the definition ended the engine that judged it';
    const { report } = answer.result;
    if (!report.accepted) return report.status?.message ?? 'the definition was refused';
    const settings = chunkSettings([report], {
      // The definition may come from a dump, but the objects of a case are evaluated as written.
      options: { ...options, returnObjects: true, asSent: true },
      deadlineAt: Number.MAX_SAFE_INTEGER,
      traceparent: undefined,
    });
    return new SuiteServer(host, text, settings, options);
  }

  create(object: JsonObject): Promise<WriteAnswer> {
    return this.#write({ object });
  }

  update(object: JsonObject, oldObject: JsonObject, subresource?: 'status'): Promise<WriteAnswer> {
    return this.#write({ object, oldObject, operation: 'UPDATE', ...(subresource && { subresource }) });
  }

  async #write(item: {
    readonly object: JsonObject;
    readonly oldObject?: JsonObject;
    readonly operation?: string;
    readonly subresource?: string;
  }): Promise<WriteAnswer> {
    const members = Object.entries(item).map(
      ([key, value]) => `${JSON.stringify(key)}:${typeof value === 'string' ? JSON.stringify(value) : writeJson(value)}`,
    );
    const slice = { bytes: Buffer.from(`{${members.join(',')}}`), notation: 'json' } as const;
    const { result } = await runChunk(
      this.#host,
      { evaluation: 'suite', index: 0, firstItem: 0, items: [slice], settings: this.#settings },
      [this.#text],
    );
    const line = result.verdicts[0] ?? '{}';
    const verdict = JSON.parse(line) as Verdict;
    if (verdict.outcome !== 'accepted') return { ok: false, message: verdict.status?.message ?? verdict.outcome };
    const reading = readJson(line);
    const stored = reading.ok && isJsonObject(reading.value) ? reading.value['object'] : undefined;
    return isJsonObject(stored) ? { ok: true, stored } : { ok: false, message: 'the engine returned no object' };
  }
}

/**
 * Returns a copy of a definition that contains only the version with the given name. The copy serves and stores this version. A schema and
 * subresources that a v1beta1 definition declares for all versions are kept. Returns undefined if the definition does not have the version.
 */
export function onlyVersion(definition: JsonObject, name: string): JsonObject | undefined {
  const spec = definition['spec'];
  if (!isJsonObject(spec)) return undefined;
  const version = versionsOf(spec).find((one) => one['name'] === name);
  if (version === undefined) return undefined;
  const only = Object.assign(newJsonObject(), version, { served: true, storage: true });
  const reduced = Object.assign(newJsonObject(), spec, { versions: [only] });
  delete reduced['version'];
  return Object.assign(newJsonObject(), definition, { spec: reduced });
}

/**
 * Returns true if an API version has the status subresource. In that case, the status of an object must be set by a second request, an
 * update of /status.
 */
export function hasStatusSubresource(definition: JsonObject, apiVersion: JsonValue | undefined): boolean {
  const spec = definition['spec'];
  if (!isJsonObject(spec)) return false;
  const version = versionsOf(spec).find(({ name }) => typeof apiVersion === 'string' && apiVersion.endsWith(`/${String(name)}`));
  return [version?.['subresources'], spec['subresources']].some(
    (subresources) => isJsonObject(subresources) && isJsonObject(subresources['status']),
  );
}

function versionsOf(spec: JsonObject): JsonObject[] {
  const versions = spec['versions'];
  return Array.isArray(versions) ? versions.filter(isJsonObject) : [];
}
