import { WordedText } from '#kube';
import type { Minor } from '#kube';
import { CRD_CHANGES, crdHas } from '../../minors/minors.ts';

/** Error messages about definitions, in the wording of a Kubernetes minor version. */
export class DefinitionWording {
  readonly #isBare: boolean;
  readonly #statesHistory: boolean;

  constructor(minor: Minor) {
    this.#isBare = crdHas(minor, 'textsAreBare');
    this.#statesHistory = crdHas(minor, 'storedVersionsHaveHistory');
  }

  /** Returns an error message about a field. In some Kubernetes minor versions the message starts with the field's name. */
  about(field: string, text: string): WordedText {
    return this.#bare(text, `${field} ${text}`);
  }

  get missingSchema(): WordedText {
    return this.#bare('', 'schemas are required');
  }

  missingOfService(field: string): WordedText {
    return this.#bare('', `service ${field} is required`);
  }

  get selectableWithoutSchema(): WordedText {
    const schema = 'version.schema.openAPIV3Schema';
    const sentence = (name: string): string => `may only be set when ${name} is not included`;
    return this.#bare(sentence(`\`${schema}\``), `selectableFields ${sentence(schema)}`);
  }

  missingStoredVersion(name: string): WordedText {
    const history =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ` +
      `ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return new WordedText(this.#statesHistory ? history : 'must appear in spec.versions', [CRD_CHANGES.storedVersionsHaveHistory]);
  }

  #bare(bare: string, before: string): WordedText {
    return new WordedText(this.#isBare ? bare : before, [CRD_CHANGES.textsAreBare]);
  }
}
