/** Names of the output formats of results. */
export const OUTPUT_FORMS = ['text', 'json', 'yaml'] as const;

/** A form in which results are printed. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** Output formats for other tools that read lists of problems, such as editors and CI systems. */
export const TOOL_FORMS = ['unix', 'junit', 'sarif', 'github'] as const;

/** Report form for tools, one of {@link TOOL_FORMS}. */
export type ToolForm = (typeof TOOL_FORMS)[number];

/** Returns true if the name of an output format is one of {@link TOOL_FORMS}. */
export const isToolForm = (form: string): form is ToolForm => (TOOL_FORMS as readonly string[]).includes(form);

/** Format in which a command prints findings about files: for display, for programs, or for tools that read problem reports. */
export type ReportForm = OutputForm | ToolForm;
/** All output formats for findings about files, in the order in which the help lists them. */
export const REPORT_FORMS: readonly ReportForm[] = [...OUTPUT_FORMS, ...TOOL_FORMS];
