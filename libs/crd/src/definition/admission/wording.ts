import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/** Minor from which texts no longer repeat the name of their field, and from which the history of a stored version is told. */
const BARE_SINCE = 34;
const HISTORY_SINCE = 33;

/** Texts about definitions that were worded differently once. */
export class DefinitionWording {
  private readonly number: number;

  constructor(minor: Minor) {
    this.number = minorNumber(minor);
  }

  /** What is wrong with a field, told after the field's name. */
  about(field: string, text: string): string {
    return this.number >= BARE_SINCE ? text : `${field} ${text}`;
  }

  get missingSchema(): string {
    return this.number >= BARE_SINCE ? '' : 'schemas are required';
  }

  missingOfService(field: string): string {
    return this.number >= BARE_SINCE ? '' : `service ${field} is required`;
  }

  get selectableWithoutSchema(): string {
    const schema = 'version.schema.openAPIV3Schema';
    return this.about('selectableFields', `may only be set when ${this.number >= BARE_SINCE ? `\`${schema}\`` : schema} is not included`);
  }

  missingStoredVersion(name: string): string {
    if (this.number < HISTORY_SINCE) return 'must appear in spec.versions';
    return (
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ` +
      `ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    );
  }
}
