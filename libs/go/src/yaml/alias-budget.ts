import { YamlError } from './yaml-error.ts';

/**
 * Number of decoded nodes up to which nearly all may come from aliases. Beyond `RANGE_HIGH` only a tenth may. Source: go.yaml.in/yaml/v2
 * decode.go.
 */
const RANGE_LOW = 400_000;
const RANGE_HIGH = 4_000_000;
/** Number of nodes from aliases up to which a document is always accepted. `FREE_DECODED` is the same limit for all nodes. */
const FREE_ALIASED = 100;
const FREE_DECODED = 1000;

/**
 * Counter that rejects documents that are short as text and very large after their aliases are expanded. Source: go.yaml.in/yaml/v2
 * decode.go `unmarshal`.
 */
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
