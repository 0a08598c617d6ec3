/** Key under which the command line hands its threads the path of the file with their compiled code. */
export const THREAD_CODE = 'assay.thread-code';
