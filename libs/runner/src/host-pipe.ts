/** File descriptor of the pipe between the engine host and the process that started it. */
export const HOST_PIPE = 3;
