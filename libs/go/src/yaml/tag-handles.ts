/** Prefixes of tag handles, which a document's directives declare. Source: go.yaml.in/yaml/v2 parserc.go. */
export class TagHandles {
  readonly #declared = new Map<string, string>();

  /** Notes a `%TAG` directive; false when the handle was declared before. */
  declare(handle: string, prefix: string): boolean {
    if (this.#declared.has(handle)) return false;
    this.#declared.set(handle, prefix);
    return true;
  }

  /** The whole tag; undefined when its handle was not declared, or nothing is left of it. */
  expand(handle: string, suffix: string): string | undefined {
    if (handle === '') return suffix;
    const prefix = this.#declared.get(handle) ?? DEFAULTS.get(handle);
    const tag = prefix === undefined ? '' : prefix + suffix;
    return tag === '' ? undefined : tag;
  }
}

/** The prefix of the tags that YAML itself defines. */
export const YAML_TAG = 'tag:yaml.org,2002:';

const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', YAML_TAG],
]);
