import type { Minor } from '#kube';
import { crdHas } from '../../minors/minors.ts';

/** Error messages about definitions, in the wording of a Kubernetes minor version. */
export class DefinitionWording {
  readonly #isBare: boolean;
  readonly #tellsHistory: boolean;

  constructor(minor: Minor) {
    this.#isBare = crdHas(minor, 'textsAreBare');
    this.#tellsHistory = crdHas(minor, 'storedVersionsHaveHistory');
  }

  /** Returns an error message about a field. In some Kubernetes minor versions the message starts with the field's name. */
  about(field: string, text: string): string {
    return this.#isBare ? text : `${field} ${text}`;
  }

  get missingSchema(): string {
    return this.#isBare ? '' : 'schemas are required';
  }

  missingOfService(field: string): string {
    return this.#isBare ? '' : `service ${field} is required`;
  }

  get selectableWithoutSchema(): string {
    const schema = 'version.schema.openAPIV3Schema';
    return this.about('selectableFields', `may only be set when ${this.#isBare ? `\`${schema}\`` : schema} is not included`);
  }

  missingStoredVersion(name: string): string {
    if (!this.#tellsHistory) return 'must appear in spec.versions';
    return (
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ` +
      `ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    );
  }
}
