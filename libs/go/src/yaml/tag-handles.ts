/** Table of tag handles and their prefixes, which the directives of a document declare. Source: go.yaml.in/yaml/v2 parserc.go. */
export class TagHandles {
  readonly #declared = new Map<string, string>();

  /** Declares the handle of a `%TAG` directive. Returns false if the handle is already declared. */
  declare(handle: string, prefix: string): boolean {
    if (this.#declared.has(handle)) return false;
    this.#declared.set(handle, prefix);
    return true;
  }

  /** Returns the complete tag for a handle and suffix. Returns undefined if the handle is not declared, or if the tag is empty. */
  expand(handle: string, suffix: string): string | undefined {
    if (handle === '') return suffix;
    const prefix = this.#declared.get(handle) ?? DEFAULTS.get(handle);
    const tag = prefix === undefined ? '' : prefix + suffix;
    return tag === '' ? undefined : tag;
  }
}

/** Prefix of the tags that the YAML specification defines. */
export const YAML_TAG = 'tag:yaml.org,2002:';

const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', YAML_TAG],
]);
