import { YamlError } from './yaml-error.ts';

/** Up to this many decoded nodes nearly all may come from aliases; beyond the upper bound a tenth. Source: go.yaml.in/yaml/v2 decode.go. */
const RANGE_LOW = 400_000;
const RANGE_HIGH = 4_000_000;
/** Documents with less from aliases, or less in all, are never refused. */
const FREE_ALIASED = 100;
const FREE_DECODED = 1000;

/** Refuses documents that are small as text and huge once their aliases are followed. Source: go.yaml.in/yaml/v2 decode.go `unmarshal`. */
export class AliasBudget {
  #decoded = 0;
  #aliased = 0;

  /** Counts a node that is about to be decoded. Throws YamlError when too many of them come from aliases. */
  count(insideAlias: boolean): void {
    this.#decoded += 1;
    if (insideAlias) this.#aliased += 1;
    if (this.#aliased <= FREE_ALIASED || this.#decoded <= FREE_DECODED) return;
    if (this.#aliased / this.#decoded > allowedRatio(this.#decoded)) throw new YamlError('document contains excessive aliasing');
  }
}

function allowedRatio(decoded: number): number {
  if (decoded <= RANGE_LOW) return 0.99;
  if (decoded >= RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decoded - RANGE_LOW) / (RANGE_HIGH - RANGE_LOW));
}
