import { Cancelled, deepEqualJson, isJsonObject, newJsonObject } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { editsOfScale, validateObject } from '#crd';
import type { CompiledDefinition, Edit, ObjectVerdict, ObjectWrite } from '#crd';

type Judged = Exclude<ObjectVerdict, { cancelled: true }>;

/** A write that can follow on a stored object, without the definition that judges it. */
export type FollowingWrite = Pick<ObjectWrite, 'operation' | 'subresource' | 'oldObject' | 'body'> &
  Partial<Pick<ObjectWrite, 'fieldValidation' | 'ownedFields'>>;

/**
 * Writes that can follow on one stored object under one definition. The writes of controllers do not validate unknown fields, because
 * controllers send what they read. Each method throws `Cancelled` if the token stops the evaluation.
 */
export class FollowingWrites {
  readonly definition: CompiledDefinition;
  readonly #version: string;
  readonly #token: CancellationToken;

  constructor(definition: CompiledDefinition, version: string, token: CancellationToken) {
    this.definition = definition;
    this.#version = version;
    this.#token = token;
  }

  /** True if the version has the subresource `status`. */
  get hasStatus(): boolean {
    return this.#served?.hasStatus === true;
  }

  /** True if the version has the subresource `scale`. */
  get hasScale(): boolean {
    return this.#served?.scale !== undefined;
  }

  /** Returns the verdict on the creation of an object. */
  create(object: JsonObject): Judged {
    return this.judge({ operation: 'CREATE', body: object, ownedFields: 'takenOff' });
  }

  /** Returns the verdict on a write of the stored object that changes nothing. */
  unchanged(stored: JsonObject): Judged {
    return this.judge({ operation: 'UPDATE', body: stored, oldObject: stored });
  }

  /** Returns the verdict on applying `merged`, which contains the fields of a file and the fields that only the stored object has. */
  apply(merged: JsonObject, stored: JsonObject, fieldValidation: ObjectWrite['fieldValidation']): Judged {
    return this.judge({ operation: 'UPDATE', body: merged, oldObject: stored, fieldValidation });
  }

  /** Returns the verdict on the first write of the status that the stored object has, so that ratcheting tolerates nothing. */
  firstStatus(stored: JsonObject): Judged {
    const { status: _, ...rest } = stored;
    return this.judge({
      operation: 'UPDATE',
      subresource: 'status',
      body: stored,
      oldObject: Object.assign(newJsonObject(), rest),
    });
  }

  /** Returns the verdict on a write of the status that changes nothing. */
  unchangedStatus(stored: JsonObject): Judged {
    return this.judge({ operation: 'UPDATE', subresource: 'status', body: stored, oldObject: stored });
  }

  /**
   * Returns the first change of the number of replicas that is refused, with its verdict. Returns undefined if a change is accepted, or if
   * the stored object has no number that can be changed.
   */
  refusedScale(stored: JsonObject): { readonly edit: Edit; readonly refusal: Extract<Judged, { accepted: false }> } | undefined {
    const scale = this.#served?.scale;
    let found: { readonly edit: Edit; readonly refusal: Extract<Judged, { accepted: false }> } | undefined;
    for (const edit of scale === undefined ? [] : editsOfScale(stored, scale)) {
      const verdict = this.judge({ operation: 'UPDATE', body: edit.object, oldObject: stored });
      if (verdict.accepted) return undefined;
      found ??= { edit, refusal: verdict };
    }
    return found;
  }

  /** Returns the verdict on one write. Unknown fields are ignored if the write does not say otherwise. */
  judge(write: FollowingWrite): Judged {
    const verdict = validateObject(
      this.definition,
      { fieldValidation: 'Ignore', ...write, version: this.#version },
      { token: this.#token },
    );
    if ('cancelled' in verdict) throw new Cancelled();
    return verdict;
  }

  get #served() {
    const served = this.definition.serve(this.#version);
    return served?.ok === true ? served.version : undefined;
  }
}

/**
 * Returns the stored object with the fields of a file in it, as `kubectl apply` merges both. Returns undefined if the file has no field that
 * the stored object lacks or has with another value. Lists are replaced as a whole.
 */
export function appliedFile(file: JsonObject, stored: JsonObject): JsonObject | undefined {
  const { apiVersion: _, kind: __, metadata: ___, status: ____, ...fields } = file;
  return mergedObject(fields, stored);
}

/** Returns the merged value; undefined if the file changes nothing. A null asks for the removal of a value. */
function mergedValue(file: JsonValue, stored: JsonValue | undefined): JsonValue | undefined {
  if (file === null && stored === undefined) return undefined;
  if (isJsonObject(file) && isJsonObject(stored)) return mergedObject(file, stored);
  return stored !== undefined && deepEqualJson(file, stored) ? undefined : file;
}

function mergedObject(file: JsonObject, stored: JsonObject): JsonObject | undefined {
  const merged = Object.assign(newJsonObject(), stored);
  let differs = false;
  for (const [key, value] of Object.entries(file)) {
    const result = mergedValue(value, stored[key]);
    if (result === undefined) continue;
    merged[key] = result;
    differs = true;
  }
  return differs ? merged : undefined;
}
