/** The name of the published package. The bare name `assay` on npm belongs to another project. The command stays `assay`. */
export const PACKAGE_NAME = '@assay-dev/assay';
