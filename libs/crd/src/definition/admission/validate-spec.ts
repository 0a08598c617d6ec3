import {
  checkDns1035Label,
  checkDns1123Subdomain,
  childPath,
  forbidden,
  indexPath,
  invalid,
  notSupported,
  reportedBecauseOf,
  required,
  structValue,
} from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { versionStruct } from '../../schema/go-struct-json.ts';
import type { DefinitionVersion, DefinitionNames } from '../../schema/definition.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { schemaHas } from '../../schema/schema-props.ts';
import { EMPTY_STRUCTURAL, toStructural } from '../../structural/from-schema.ts';
import type { HoistedDefinition } from './hoist.ts';
import type { AdmissionOptions } from './options.ts';
import type { RuleContext } from './rule-context.ts';
import { validateConversion } from './validate-conversion.ts';
import { validateSchema } from './validate-schema.ts';
import {
  deprecationWarningTexts,
  SELECTABLE_FIELDS,
  validatePrinterColumn,
  validateSelectableFields,
  validateSubresources,
} from './validate-version.ts';

const SCOPES: readonly string[] = ['Cluster', 'Namespaced'];

/**
 * Function that returns the {@link RuleContext} of a root schema, in which the rules of this schema are compiled. Each schema has one
 * context, so that rules are compiled only once.
 */
export type RuleContexts = (schema: SchemaProps) => RuleContext;

/** Validates the spec of a definition. Source: validation.go `validateCustomResourceDefinitionSpec` (1.37). */
export function validateSpec(hoisted: HoistedDefinition, given: AdmissionOptions, contexts: RuleContexts): FieldError[] {
  return new SpecCheck(hoisted, given, contexts).check();
}

class SpecCheck {
  readonly #errors: FieldError[] = [];
  readonly #path = childPath(undefined, 'spec');
  readonly #hoisted: HoistedDefinition;
  #options: AdmissionOptions;
  readonly #contexts: RuleContexts;

  constructor(hoisted: HoistedDefinition, options: AdmissionOptions, contexts: RuleContexts) {
    this.#hoisted = hoisted;
    this.#options = options;
    this.#contexts = contexts;
  }

  check(): FieldError[] {
    this.#groupAndScope();
    this.#schemasPresent();
    this.#versions();
    this.#topLevelAgainstVersions();
    this.#namesPresent();
    this.#errors.push(...validateNames(this.#hoisted.definition.spec.names, this.#at('names')));
    this.#topLevel();
    this.#conversion();
    return this.#errors;
  }

  #at(...names: string[]): FieldPath {
    return childPath(this.#path, ...names);
  }

  get #spec() {
    return this.#hoisted.definition.spec;
  }

  #groupAndScope(): void {
    const { group, scope } = this.#spec;
    const at = this.#at('group');
    const texts = checkDns1123Subdomain(group);
    if (group === '') this.#errors.push(required(at, ''));
    else if (texts.length > 0) this.#errors.push(invalid(at, group, texts.join(',')));
    else if (!group.includes('.')) this.#errors.push(invalid(at, group, 'should be a domain with at least one dot'));
    if (scope === '') this.#errors.push(required(this.#at('scope'), ''));
    else if (!SCOPES.includes(scope)) this.#errors.push(notSupported(this.#at('scope'), scope, SCOPES));
  }

  /**
   * Reports missing schemas. Requires structural schemas if unknown fields are pruned, or if a schema contains defaults or keywords of
   * structural schemas.
   */
  #schemasPresent(): void {
    const spec = this.#spec;
    const hoisted = this.#hoisted;
    const all = [hoisted.schema, ...hoisted.versions.map((version) => version.schema)];
    const some = (holds: (schema: SchemaProps) => boolean): boolean => all.some((schema) => schemaHas(schema, holds));
    const hasDefaults = some((schema) => schema.default !== undefined);
    const structural = !spec.preserveUnknownFields || hasDefaults || some(hasExtensions);
    if (structural) this.#options = { ...this.#options, requireStructural: true };
    if (hoisted.schema === undefined) {
      hoisted.versions.forEach((version, i) => {
        if (version.schema !== undefined) return;
        const at = childPath(indexPath(this.#at('versions'), i), 'schema', 'openAPIV3Schema');
        if (this.#options.requireSchema) this.#errors.push(required(at, this.#options.wording.missingSchema));
        else if (!spec.preserveUnknownFields && version.served) this.#errors.push(required(at, 'because otherwise all fields are pruned'));
      });
    }
    if (hasDefaults && spec.preserveUnknownFields) {
      this.#errors.push(invalid(this.#at('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema'));
    }
  }

  #versions(): void {
    const { versions } = this.#hoisted;
    const perVersionSubresources = versions.some((version) => version.subresources !== undefined);
    versions.forEach((version, i) => {
      const at = indexPath(this.#at('versions'), i);
      const texts = checkDns1035Label(version.name);
      if (texts.length > 0) this.#errors.push(invalid(childPath(at, 'name'), version.name, texts.join(',')));
      const subresources = perVersionSubresources
        ? versions.find((other) => other.name === version.name)?.subresources
        : this.#hoisted.subresources;
      this.#version(version, at, subresources?.status === true);
    });
  }

  #version(version: DefinitionVersion, at: FieldPath, statusEnabled: boolean): void {
    for (const text of deprecationWarningTexts(version.deprecated, version.deprecationWarning)) {
      this.#errors.push(invalid(childPath(at, 'deprecationWarning'), structValue(version.deprecationWarning ?? ''), text));
    }
    this.#schema(version.schema, childPath(at, 'schema'), statusEnabled, version.name);
    this.#errors.push(...validateSubresources(version.subresources, childPath(at, 'subresources')));
    version.printerColumns.forEach((column, i) => {
      this.#errors.push(...validatePrinterColumn(column, indexPath(childPath(at, 'additionalPrinterColumns'), i)));
    });
    if (version.selectableFields.length === 0) return;
    const fieldsPath = childPath(at, 'selectableFields');
    if (version.schema === undefined) {
      this.#errors.push(reportedBecauseOf(invalid(fieldsPath, '', this.#options.wording.selectableWithoutSchema), SELECTABLE_FIELDS));
    } else {
      this.#selectableFields(version.selectableFields, version.schema, fieldsPath, childPath(at, 'schema.openAPIV3Schema'), version.name);
    }
  }

  #selectableFields(fields: readonly string[], schema: SchemaProps, path: FieldPath, schemaPath: FieldPath, version: string): void {
    const converted = toStructural(schema);
    if (!converted.ok) this.#errors.push(invalid(schemaPath, '', converted.error));
    const structural = converted.ok ? converted.structural : EMPTY_STRUCTURAL;
    this.#errors.push(...validateSelectableFields(fields, structural, path, this.#options, version));
  }

  #schema(schema: SchemaProps | undefined, path: FieldPath, statusEnabled: boolean, version: string): void {
    if (schema === undefined) return;
    const suppressCost = this.#options.unchangedVersions.has(version);
    const context = this.#contexts(schema);
    this.#errors.push(...validateSchema(schema, path, { statusEnabled, options: this.#options, suppressCost, context }));
  }

  #topLevelAgainstVersions(): void {
    const { versions, hasValidation, subresources, printerColumns } = this.#hoisted;
    const exclusive = (top: boolean, below: boolean, field: string, what: string): void => {
      if (top && below) this.#errors.push(forbidden(this.#at(field), `top-level and per-version ${what} are mutually exclusive`));
    };
    exclusive(
      hasValidation,
      versions.some((version) => version.hasValidation),
      'validation',
      'schemas',
    );
    exclusive(
      subresources !== undefined,
      versions.some((version) => version.subresources !== undefined),
      'subresources',
      'subresources',
    );
    const columns = versions.some((version) => version.printerColumns.length > 0);
    exclusive(printerColumns.length > 0, columns, 'additionalPrinterColumns', 'additionalPrinterColumns');
    const refuse = (detail: string): void => {
      this.#errors.push(invalid(this.#at('versions'), structValue(this.#spec.listsVersions ? versions.map(versionStruct) : null), detail));
    };
    if (new Set(versions.map((version) => version.name)).size < versions.length) refuse('must contain unique version names');
    if (versions.filter((version) => version.storage).length !== 1) refuse('must have exactly one version marked as storage version');
    const first = versions[0]?.name ?? '';
    const texts = first === '' ? [] : checkDns1035Label(first);
    if (texts.length > 0) this.#errors.push(invalid(this.#at('version'), first, texts.join(',')));
  }

  #namesPresent(): void {
    for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
      if (this.#spec.names[field] === '') this.#errors.push(required(this.#at('names', field), ''));
    }
  }

  /** Validates the values that all versions share: schema, subresources, printer columns and selectable fields. */
  #topLevel(): void {
    const { schema, subresources, printerColumns, selectableFields, versions } = this.#hoisted;
    const statusEnabled = subresources?.status === true || versions.some((version) => version.subresources?.status === true);
    this.#schema(schema, this.#at('validation'), statusEnabled, versions[0]?.name ?? '');
    this.#errors.push(...validateSubresources(subresources, this.#at('subresources')));
    printerColumns.forEach((column, i) => {
      this.#errors.push(...validatePrinterColumn(column, indexPath(this.#at('additionalPrinterColumns'), i)));
    });
    if (selectableFields.length === 0) return;
    const path = this.#at('selectableFields');
    if (schema === undefined)
      this.#errors.push(
        invalid(path, '', this.#options.wording.about('selectableFields', 'may only be set when validations.schema is included')),
      );
    else this.#selectableFields(selectableFields, schema, path, this.#at('schema.openAPIV3Schema'), '');
  }

  #conversion(): void {
    const { conversion, preserveUnknownFields } = this.#spec;
    if (conversion === undefined) return;
    if (conversion.strategy !== 'None' && preserveUnknownFields) {
      const at = this.#at('conversion', 'strategy');
      this.#errors.push(invalid(at, conversion.strategy, 'must be None if spec.preserveUnknownFields is true'));
    }
    this.#errors.push(...validateConversion(conversion, this.#at('conversion'), this.#options));
  }
}

/** Returns true if a schema uses keywords that only structural schemas may use. */
function hasExtensions(schema: SchemaProps): boolean {
  return (
    schema.embeddedResource ||
    schema.preserveUnknownFields !== undefined ||
    schema.intOrString ||
    schema.listMapKeys.length > 0 ||
    schema.listType !== undefined ||
    schema.rules.length > 0
  );
}

/**
 * Validates the format of all names that are present. Missing names are reported elsewhere. Source: validation.go
 * `ValidateCustomResourceDefinitionNames` (1.37).
 */
export function validateNames(names: DefinitionNames, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular'] as const) {
    const texts = names[field] === '' ? [] : checkDns1035Label(names[field]);
    if (texts.length > 0) errors.push(invalid(childPath(path, field), names[field], texts.join(',')));
  }
  for (const field of ['kind', 'listKind'] as const) {
    const texts = names[field] === '' ? [] : checkDns1035Label(names[field].toLowerCase());
    if (texts.length === 0) continue;
    errors.push(invalid(childPath(path, field), names[field], `may have mixed case, but should otherwise match: ${texts.join(',')}`));
  }
  const each = (field: 'shortNames' | 'categories'): void =>
    names[field].forEach((name, i) => {
      const texts = checkDns1035Label(name);
      if (texts.length > 0) errors.push(invalid(indexPath(childPath(path, field), i), name, texts.join(',')));
    });
  each('shortNames');
  if (names.kind !== '' && names.kind === names.listKind) {
    errors.push(invalid(childPath(path, 'listKind'), names.listKind, 'kind and listKind may not be the same'));
  }
  each('categories');
  return errors;
}
