/** The name of the published package. The bare name `assay` on npm belongs to another project. The name of the command is still `assay`. */
export const PACKAGE_NAME = '@assay-dev/assay';
