import { YamlError } from './yaml-error.ts';

/**
 * Up to this number of decoded nodes, at most 99 % of the nodes may come from aliases. From `RANGE_HIGH` nodes on, at most 10 % may.
 * Between these numbers, the limit falls linearly. Source: go.yaml.in/yaml/v2 decode.go.
 */
const RANGE_LOW = 400_000;
const RANGE_HIGH = 4_000_000;
/**
 * A document with at most this many nodes from aliases is always accepted. `FREE_DECODED` is the corresponding limit for all decoded nodes:
 * a document with at most that many is also always accepted.
 */
const FREE_ALIASED = 100;
const FREE_DECODED = 1000;

/** Counter that rejects short documents whose expanded aliases are very large. Source: go.yaml.in/yaml/v2 decode.go `unmarshal`. */
export class AliasBudget {
  #decoded = 0;
  #aliased = 0;

  /** Counts a node before it is decoded. Throws YamlError if too large a share of the counted nodes comes from aliases. */
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
